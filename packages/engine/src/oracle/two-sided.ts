import { jsonLeaves } from '../crawl/json-leaves.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Answer, isSame, toAnswer } from './compare.ts';
import { isRefused } from './refusal.ts';

/** Labels of the answers that belong together. */
interface Sides {
  /** Must all be alike. */
  trues: readonly string[];
  /** Must all be alike, and other than the true ones. */
  falses: readonly string[];
  /** Must not look like the true ones: what is no condition at all. */
  broken?: readonly string[];
  /** Requests that nobody refuses. */
  harmless?: readonly string[];
}

/**
 * Whether answers depend on a condition and on nothing else. A page that answers everything alike, one that is another
 * one each time, and one that shows what it was asked for prove nothing.
 */
export function judgeTwoSided(
  answers: ReadonlyMap<string, Exchange>,
  { trues, falses, broken = [], harmless = [] }: Sides,
): 'PROVED' | 'REFUTED' | 'VOID' {
  const exchanges = [...answers.values()];
  const echoes = echoesOf(exchanges);
  const told = (label: string) => {
    const exchange = answers.get(label);
    return exchange && toAnswer(exchange, echoes);
  };
  const sides = [trues, falses, broken].map((labels) => labels.map(told));
  const [trueOnes = [], falseOnes = [], brokenOnes = []] = sides.map((side) => side.filter(isThere));
  if (sides.flat().some((answer) => answer === undefined)) return 'VOID';
  const plain = harmless.map((label) => answers.get(label)).filter(isThere);
  if (isRefused(exchanges, plain)) return 'VOID';
  const [someTrue, someFalse] = [trueOnes[0], falseOnes[0]];
  if (!someTrue || !someFalse) return 'VOID';
  const isProved =
    !isSame(someTrue, someFalse) &&
    trueOnes.every((answer: Answer) => isSame(someTrue, answer)) &&
    falseOnes.every((answer: Answer) => isSame(someFalse, answer)) &&
    !brokenOnes.some((answer: Answer) => isSame(someTrue, answer));
  return isProved ? 'PROVED' : 'REFUTED';
}

/** Whether two answers are the same but for what their requests put there; false when one is missing. */
export function areAlike(one: Exchange, other: Exchange): boolean {
  const echoes = echoesOf([one, other]);
  const [a, b] = [toAnswer(one, echoes), toAnswer(other, echoes)];
  return a !== undefined && b !== undefined && isSame(a, b);
}

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined;

/** What only some of the requests carried: pages that show what they were asked for differ in it, and in nothing else. */
function echoesOf(exchanges: readonly Exchange[]): string[] {
  const carried = exchanges.map(({ request }) => new Set(valuesOf(request)));
  const all = new Set(carried.flatMap((values) => [...values]));
  return [...all].filter((value) => !carried.every((values) => values.has(value)));
}

function valuesOf({ url, headers = [], body = '' }: Exchange['request']): string[] {
  const { pathname, searchParams } = new URL(url);
  const text = body.toString();
  const inBody = jsonLeaves(text).map(({ value }) => value);
  const pairs = [searchParams, ...(inBody.length > 0 ? [] : [new URLSearchParams(text)])];
  const inCookies = headers.flatMap(([, value]) => value.split('; ').map((pair) => pair.replace(/^[^=]*=/, '')));
  return [
    ...pairs.flatMap((each) => [...each.values()]),
    ...pathname.split('/').map(decode),
    ...inBody,
    ...text.split(/\r\n(?:\r\n)?/),
    ...headers.map(([, value]) => value),
    ...inCookies.map(decode),
  ];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
