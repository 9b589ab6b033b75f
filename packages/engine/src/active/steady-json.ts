import type { Exchange } from '../http/exchange/exchange.ts';
import { readJson, textOf } from '../oracle/private-content.ts';

/** A response, and the value that was sent, which it may repeat. */
interface Sent {
  exchange: Exchange;
  value: string;
}

const MOST_LEAVES = 2_000;

/**
 * Compares JSON without what changed between two responses to the same request: numbers of orders, times, tokens.
 * Returns undefined where one of the two is no JSON object.
 */
export function compareSteadily(base: Exchange, again: Exchange): ((one: Sent, other: Sent) => boolean) | undefined {
  const [first, second] = [leavesIn(textOf(base)), leavesIn(textOf(again))];
  if (!first || !second) return undefined;
  const isSteady = (path: string) => first.get(path) === second.get(path);
  return (one, other) => {
    const [a, b] = [one, other].map(({ exchange }) => leavesIn(textOf(exchange)));
    if (!a || !b || one.exchange.response?.status !== other.exchange.response?.status || a.size !== b.size)
      return false;
    return [...a].every(
      ([path, text]) => b.has(path) && (!isSteady(path) || isSameText(text, one.value, b.get(path) ?? '', other.value)),
    );
  };
}

const isSameText = (text: string, value: string, other: string, otherValue: string) =>
  text === other || text.replaceAll(written(value), '') === other.replaceAll(written(otherValue), '');

/** As it stands within a JSON text. */
const written = (value: string) => (value === '' ? '\0' : JSON.stringify(value).slice(1, -1));

/** Returns the values of a JSON object or list by their paths. */
function leavesIn(text: string): Map<string, string> | undefined {
  const root = readJson(text);
  if (typeof root !== 'object' || root === null) return undefined;
  const leaves = new Map<string, string>();
  const waiting: [path: string, value: unknown][] = [['', root]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [path, value] = next;
    if (leaves.size > MOST_LEAVES) return undefined;
    if (typeof value !== 'object' || value === null) leaves.set(path, JSON.stringify(value));
    else for (const [name, each] of Object.entries(value)) waiting.push([`${path}/${name}`, each]);
  }
  return leaves;
}
