import { jsonLeaves } from '../crawl/inventory/json-leaves.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import { isSameInOrder, toAnswer } from './compare.ts';
import { isRefused } from './refusal.ts';

/** Responses, grouped by the condition that was injected. */
interface Sides {
  /** Must all be equal. */
  trues: readonly Exchange[];
  /** Must all be equal, and differ from the true ones. */
  falses: readonly Exchange[];
  /** Must differ from the true ones, because they are no valid conditions. */
  broken?: readonly Exchange[];
  /** Requests without a payload, which targets do not refuse. They may also be on one of the sides. */
  harmless?: readonly Exchange[];
  /** Statuses that are no refusals here, such as 401 at a login. */
  usualStatuses?: readonly number[];
}

/**
 * Judges whether responses depend on a condition and on nothing else. A page that responds to everything alike, one
 * that changes each time, and one that echoes its input prove nothing.
 */
export function judgeTwoSided({
  trues,
  falses,
  broken = [],
  harmless = [],
  usualStatuses = [],
}: Sides): 'PROVED' | 'REFUTED' | 'VOID' {
  const sides = [trues, falses, broken];
  const exchanges = [...new Set([...sides.flat(), ...harmless])];
  if (exchanges.some(({ response }) => !response)) return 'VOID';
  if (isRefused(exchanges, harmless, usualStatuses)) return 'VOID';
  // Search results may contain the search term, so also compare without removing it as an echo.
  const echoes = echoesOf(exchanges);
  const meant = new Set(harmless.flatMap(({ request }) => valuesOf(request)));
  const ways = [echoes, echoes.filter((value) => !meant.has(value))];
  return ways.some((noise) => isSeparate(sides, noise)) ? 'PROVED' : 'REFUTED';
}

function isSeparate(sides: readonly (readonly Exchange[])[], noise: readonly string[]): boolean {
  const told = (side: readonly Exchange[]) => side.map((exchange) => toAnswer(exchange, noise)).filter(isThere);
  const [trues = [], falses = [], broken = []] = sides.map(told);
  const [someTrue, someFalse] = [trues[0], falses[0]];
  if (!someTrue || !someFalse || isSameInOrder(someTrue, someFalse)) return false;
  return (
    trues.every((answer) => isSameInOrder(someTrue, answer)) &&
    falses.every((answer) => isSameInOrder(someFalse, answer)) &&
    !broken.some((answer) => isSameInOrder(someTrue, answer))
  );
}

/** Returns whether two responses are equal apart from echoes of their requests; false if one is missing. */
export function areAlike(one: Exchange, other: Exchange): boolean {
  const echoes = echoesOf([one, other]);
  const [a, b] = [toAnswer(one, echoes), toAnswer(other, echoes)];
  return a !== undefined && b !== undefined && isSameInOrder(a, b);
}

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined;

/** Returns the values that only some of the requests carried: pages that echo their input differ in these alone. */
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
