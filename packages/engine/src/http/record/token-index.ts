import { findInViews, type View, viewsOf } from './decoded-views.ts';
import { isPlain } from './plain-words.ts';
import type { Span } from './spans.ts';
import { createTextHash } from './text-hash.ts';

interface TokenIndex {
  /** Ignores dates and plain words: they identify no session, and masking them would hide half a site. */
  add(token: string): void;
  /**
   * Returns where tokens appear as a whole, in upper or lower case, plain or escaped for URLs, HTML and scripts; sorted
   * and without overlaps.
   */
  find(text: string, views?: readonly View[]): Span[];
  /** Returns the number of hash lookups that all searches took. */
  lookups(): number;
}

/** As many as the largest level has requests: a target must not exhaust our memory. */
const MOST_TOKENS = 500_000;
/**
 * Shapes per run: the usual limit while another run of the token has fewer, and the maximum, which bounds the lookups
 * per word of a text.
 */
const USUAL_SHAPES = 8;
const MOST_SHAPES = 64;
/** Shorter parts of a token appear on every page. */
const SHORTEST_PIECE = 4;

/** Packs both numbers of a shape into one. */
const SHIFT = 2 ** 26;

/**
 * Indexes a token by its longest run of letters and digits and by its shape: how far it reaches before that run and how
 * long it is. A search takes one lookup for each run of the text, and one for each shape that tokens with this run have,
 * however many tokens there are. Keeps hashes and no token.
 */
export function createTokenIndex(): TokenIndex {
  const hashing = createTextHash();
  const shapesByRun = new Map<number, number[]>();
  const tokens = new Set<number>();
  let lookups = 0;

  /** Returns false if the run already has the maximum number of shapes. */
  function addShape(run: number, before: number, length: number, most: number): boolean {
    const shape = before * SHIFT + length;
    const shapes = shapesByRun.get(run);
    if (!shapes) shapesByRun.set(run, [shape]);
    else if (shapes.includes(shape)) return true;
    else if (shapes.length >= most) return false;
    else shapes.push(shape);
    return true;
  }

  function addForm(form: string): void {
    const hashOf = hashing.ofParts(form);
    const longestFirst = [...runsIn(form)].toSorted((one, other) => lengthOf(other) - lengthOf(one));
    const isIndexed = [USUAL_SHAPES, MOST_SHAPES].some((most) =>
      longestFirst.some(({ start, end }) => addShape(hashOf(start, end), start, form.length, most)),
    );
    if (isIndexed) tokens.add(hashOf(0, form.length));
    if (isIndexed) return;
    // Mask each part on its own: more shapes would make searches too slow, and the token must not leak.
    for (const run of longestFirst.filter((each) => lengthOf(each) >= SHORTEST_PIECE)) {
      addShape(hashOf(run.start, run.end), 0, lengthOf(run), MOST_SHAPES + 1);
      tokens.add(hashOf(run.start, run.end));
    }
  }

  function findIn(text: string): Span[] {
    const candidates: Span[] = [];
    for (const run of runsIn(text)) {
      const shapes = shapesByRun.get(hashing.ofRun(text, run.start, run.end)) ?? [];
      lookups += 1 + shapes.length;
      for (const shape of shapes) {
        const start = run.start - Math.floor(shape / SHIFT);
        const end = start + (shape % SHIFT);
        if (isWhole(text, start, end)) candidates.push({ start, end });
      }
    }
    if (candidates.length === 0) return [];
    const hashOf = hashing.ofParts(text);
    return candidates.filter(({ start, end }) => tokens.has(hashOf(start, end)));
  }

  return {
    add(token) {
      const forms = viewsOf(token).map(({ text }) => text);
      if (tokens.size >= MOST_TOKENS || forms.some(isPlain)) return;
      for (const form of forms) if (form.length >= SHORTEST_FORM || form === token) addForm(form);
    },
    find: (text, views = viewsOf(text)) => (tokens.size === 0 ? [] : findInViews(views, findIn)),
    lookups: () => lookups,
  };
}

/** A decoded token may be a few letters, which appear everywhere. */
const SHORTEST_FORM = 8;

const lengthOf = ({ start, end }: Span) => end - start;

const isLetterOrDigit = (code: number) =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

/** Runs consist of ASCII letters and digits, or of non-ASCII characters. */
const kindOf = (code: number) => (code > 0x7f ? 2 : Number(isLetterOrDigit(code)));

function* runsIn(text: string): Generator<Span> {
  for (let start = 0; start < text.length; ) {
    const kind = kindOf(text.charCodeAt(start));
    let end = start + 1;
    while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end++;
    if (kind !== 0) yield { start, end };
    start = end;
  }
}

/** Whether no letter or digit of a longer word continues the match at either end. */
function isWhole(text: string, start: number, end: number): boolean {
  return start >= 0 && end <= text.length && !isWithinRun(text, start) && !isWithinRun(text, end);
}

const isWithinRun = (text: string, at: number) =>
  isLetterOrDigit(text.charCodeAt(at - 1)) && isLetterOrDigit(text.charCodeAt(at));
