import type { Parameter } from '../inventory/inventory.ts';

/** The parameter to replace, its new value, and whether that is written without encoding. */
export interface Written {
  parameter: Parameter;
  value: string;
  isRaw: boolean;
  /** Replaces the name of a pair, without encoding. */
  name?: string;
}

export const isChanged = (parameter: Parameter, written: Written) =>
  parameter === written.parameter && (written.isRaw || written.name !== undefined || written.value !== parameter.value);

const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const nameOf = (pair: string) => new URLSearchParams(pair).keys().next().value;

/** Writes the name of a pair instead of its value. Without a pair of the original name, one is added. */
export function withName(text: string, { parameter, value, isRaw }: Written): string {
  if (value === parameter.value && !isRaw) return text;
  const pairs = text === '' ? [] : text.split('&');
  const found = pairs.findIndex((pair) => nameOf(pair) === parameter.name);
  const name = isRaw ? value : encode(value);
  if (found === -1) return [...pairs, `${name}=1`].join('&');
  return pairs.with(found, `${name}=${pairs[found]?.replace(/^[^=]*=?/, '')}`).join('&');
}

/**
 * Writes a value into a query or form. Repeated names match in order: the first parameter of a name is the first pair
 * of that name. Missing parameters are appended in order.
 */
export function pairsWith(text: string, parameters: readonly Parameter[], written: Written): string {
  const pairs = text === '' ? [] : text.split('&');
  const taken = new Set<number>();
  for (const parameter of parameters) {
    const isOther = isChanged(parameter, written);
    const value = isOther ? written.value : parameter.value;
    const asWritten = isOther && written.isRaw ? value : encode(value);
    const found = pairs.findIndex((pair, index) => !taken.has(index) && nameOf(pair) === parameter.name);
    const otherName = isOther ? written.name : undefined;
    if (found === -1) pairs.push(`${otherName ?? encode(parameter.name)}=${asWritten}`);
    else if (isOther) pairs[found] = `${otherName ?? pairs[found]?.replace(/=.*$/s, '')}=${asWritten}`;
    taken.add(found === -1 ? pairs.length - 1 : found);
  }
  return pairs.join('&');
}
