import { CHARACTER_REFERENCE, decodeReference } from '../../html/character-references.ts';
import { mergeSpans, type Span } from './spans.ts';

/** A text with its escapes decoded, and the source position of each character. */
export interface View {
  text: string;
  /** Returns where the character at an index starts in the original text. */
  startOf(index: number): number;
  /** Returns where the character at an index ends in the original text. */
  endOf(index: number): number;
}

interface Decoding extends View {
  /** Source positions by character index; undefined if nothing is decoded. */
  starts: Int32Array | undefined;
  ends: Int32Array | undefined;
}

/** The deepest sensible nesting of escapes: a URL in JSON in an HTML attribute. */
const MOST_DECODINGS = 3;

const URL_ESCAPES = '(?:%[0-9A-Fa-f]{2})+';
/** Including the `\x3d` of scripts. */
const JSON_ESCAPES = '\\\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[nrtbf"\'\\\\/])';
const KINDS = [URL_ESCAPES, JSON_ESCAPES, CHARACTER_REFERENCE].map((kind) => new RegExp(kind, 'g'));
const ALL_KINDS = new RegExp([URL_ESCAPES, JSON_ESCAPES, CHARACTER_REFERENCE].join('|'), 'g');

const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function decodeEscape(escaped: string): string {
  if (/^\\[ux]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped.slice(2), 16));
  if (escaped.startsWith('\\')) return controls[escaped.charAt(1)] ?? escaped.charAt(1);
  return decodeReference(escaped);
}

/** Returns the length of a UTF-8 sequence by its first byte; 0 if no sequence starts with it. */
function sizeOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** Calls `add` with each character of percent-encoded UTF-8; invalid bytes stay escaped. */
function decodeBytes(escaped: string, add: (text: string, length: number) => void): void {
  const bytes = Buffer.from(escaped.replaceAll('%', ''), 'hex');
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const size = sizeOf(first);
    const text = size === 1 ? String.fromCharCode(first) : bytes.toString('utf8', at, at + size);
    const isText = size === 1 || (size > 0 && bytes.subarray(at, at + size).equals(Buffer.from(text)));
    const used = isText ? size : 1;
    add(isText ? text : escaped.slice(at * 3, at * 3 + 3), used * 3);
    at += used;
  }
}

/** Decodes each escape once. */
function decode({ text, starts, ends }: Decoding, escapes: RegExp): Decoding {
  const parts: string[] = [];
  // An escape never decodes to more characters than it has itself.
  const newStarts = new Int32Array(text.length);
  const newEnds = new Int32Array(text.length);
  let size = 0;
  let done = 0;
  const copyUpTo = (end: number) => {
    if (done < end) parts.push(text.slice(done, end));
    for (; done < end; done++, size++) {
      newStarts[size] = starts?.[done] ?? done;
      newEnds[size] = ends?.[done] ?? done + 1;
    }
  };
  const add = (decoded: string, length: number) => {
    parts.push(decoded);
    for (let index = 0; index < decoded.length; index++, size++) {
      newStarts[size] = starts?.[done] ?? done;
      newEnds[size] = ends?.[done + length - 1] ?? done + length;
    }
    done += length;
  };
  for (const { 0: escaped, index } of text.matchAll(escapes)) {
    copyUpTo(index);
    if (escaped.startsWith('%')) decodeBytes(escaped, add);
    else add(decodeEscape(escaped), escaped.length);
  }
  copyUpTo(text.length);
  return toDecoding(parts.join(''), newStarts, newEnds);
}

const toDecoding = (text: string, starts?: Int32Array, ends?: Int32Array): Decoding => ({
  text,
  starts,
  ends,
  startOf: (index) => starts?.[index] ?? index,
  endOf: (index) => ends?.[index] ?? index + 1,
});

/**
 * Returns the original text, the text with each kind of escape (URL, JSON, HTML) decoded once, and the text with all
 * kinds decoded up to three times; without duplicates.
 */
export function viewsOf(text: string): View[] {
  const views = new Map<string, Decoding>();
  const given = toDecoding(text);
  views.set(text, given);
  const kinds = KINDS.filter((kind) => text.search(kind) >= 0);
  if (kinds.length > 1) {
    for (const kind of kinds) {
      const view = decode(given, kind);
      views.set(view.text, views.get(view.text) ?? view);
    }
  }
  let last = given;
  for (let times = 0; times < MOST_DECODINGS && last.text.search(ALL_KINDS) >= 0; times++) {
    last = decode(last, ALL_KINDS);
    views.set(last.text, views.get(last.text) ?? last);
  }
  return [...views.values()];
}

/** Returns what a search finds in the views of a text, as parts of the original text; sorted and without overlaps. */
export function findInViews(views: readonly View[], find: (text: string) => Span[]): Span[] {
  const found = views.flatMap((view) =>
    find(view.text).map(({ start, end }) => ({ start: view.startOf(start), end: view.endOf(end - 1) })),
  );
  return mergeSpans(found);
}
