import { type Context, contextsOf } from '../../oracle/contexts.ts';
import type { Decoding } from '../../oracle/encodings.ts';
import type { Filter } from './filters.ts';

/** Sends a value and resolves to the page that shows it. */
export type Look = (value: string) => Promise<string>;

/** What the page shows of each text that was in a value, by the place in the page. */
export interface Echoes {
  contexts: (Context | undefined)[];
  shown: Map<string, string>[];
}

const MOST_PLACES = 3;

interface Reading {
  word: string;
  look: Look;
  /** Values that may be sent. */
  left: number;
  echoes: Echoes;
}

/** Sends texts between marks, and takes down what the page shows of each. Resolves to whether it shows any. */
async function readEchoes(texts: readonly string[], reading: Reading): Promise<boolean> {
  const { word, look, echoes } = reading;
  if (reading.left <= 0) return false;
  const mark = `${word}y${reading.left--}`;
  const between = (index: number) => `${mark}k${index}x`;
  const value = texts.map((text, index) => between(index) + text).join('') + between(texts.length);
  const places = contextsOf(await look(`${mark}a${value}`), `${mark}a`).slice(0, MOST_PLACES);
  if (echoes.contexts.length === 0) echoes.contexts = places.map(({ context }) => context);
  for (const [place, { rest }] of places.entries()) {
    for (const [index, text] of texts.entries()) {
      const start = rest.indexOf(between(index));
      const end = rest.indexOf(between(index + 1));
      if (start < 0 || end < start) continue;
      echoes.shown[place] ??= new Map();
      echoes.shown[place].set(text, rest.slice(start + between(index).length, end));
    }
  }
  return places.length > 0;
}

const isKnown = ({ shown }: Echoes, text: string) => shown.some((each) => each.has(text));

/** Reads all groups at once. Where the target refuses that or cuts it, one after the other, until enough have passed. */
export async function readGroups(
  groups: readonly (readonly string[])[],
  enough: number,
  reading: Reading,
): Promise<void> {
  await readEchoes([...new Set(groups.flat())], reading);
  let passed = 0;
  for (const group of groups) {
    if (passed >= enough) return;
    const missing = group.filter((text) => !isKnown(reading.echoes, text));
    if (missing.length > 0) passed += Number(await readEchoes(missing, reading));
  }
}

/** What is known of the filter from what a place of the page shows. */
export function filterOf(shown: ReadonlyMap<string, string>): Filter & { decodes: Decoding | undefined } {
  const isWide = shown.get('\uff5a') === 'z';
  const decodes = shown.get('%7A') === 'z' ? 'percent' : isWide ? 'wide' : undefined;
  return {
    decodes,
    decoding: async () => decodes,
    async fateOf(text) {
      const seen = shown.get(text);
      if (seen === '') return 'removed';
      return seen?.toLowerCase() === text.toLowerCase() ? 'kept' : 'refused';
    },
  };
}
