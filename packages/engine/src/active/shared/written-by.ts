import { readJson } from '../../oracle/private-content.ts';

const MOST_NODES = 20_000;

/** Returns the field of the object that contains the word, or undefined if there is none. */
export function writerIn(text: string, word: string, field: string): string | undefined {
  const waiting: unknown[] = [readJson(text)];
  for (let nodes = 0; waiting.length > 0 && nodes < MOST_NODES; nodes++) {
    const node = waiting.shift();
    if (typeof node !== 'object' || node === null) continue;
    const values = Object.values(node);
    const hasWord = values.some((value) => typeof value === 'string' && value.includes(word));
    if (hasWord && field in node) return String(Reflect.get(node, field));
    waiting.push(...values);
  }
  return undefined;
}
