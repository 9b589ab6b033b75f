import type { Parameter } from '../inventory/inventory.ts';

/** What is put where, and whether as it is. */
export interface Written {
  parameter: Parameter;
  value: string;
  isRaw: boolean;
  /** In place of the name of a pair, as it is. */
  name?: string;
}

export const isChanged = (parameter: Parameter, written: Written) =>
  parameter === written.parameter && (written.isRaw || written.name !== undefined || written.value !== parameter.value);

const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const nameOf = (pair: string) => new URLSearchParams(pair).keys().next().value;

/**
 * Of a query or a form: the first parameter of a name is the first pair of that name, and so on. Those that are not
 * there are added in their order.
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
