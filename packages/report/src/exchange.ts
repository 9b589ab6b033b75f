import type { PentestFindingDetails } from '@sortie/contract';
import { mask } from './mask.ts';
import { cleanText, cutText, oneLine } from './text.ts';

/** A request of the proof and its response. */
export type Exchange = PentestFindingDetails['evidence'][number];
type Span = Exchange['highlights']['request'][number];

/** A text and what to look at in it: offsets in UTF-16 code units, in order and without overlaps. */
export interface Marked {
  text: string;
  spans: readonly Span[];
}

export const safeText = (text: string): string => cleanText(mask(text));

const MOST_SPANS = 20;

/**
 * Masks and cleans a text. Both change its length, so each span is looked up behind the masked text since the span
 * before, and dropped if other characters are there now.
 */
function safeMarked({ text, spans }: Marked): Marked {
  const safe = safeText(text);
  const isValid = ({ start, end }: Span) => 0 <= start && start < end && end <= text.length;
  const valid = inOrder(spans.slice(0, MOST_SPANS).filter(isValid));
  if (safe === text) return { text, spans: valid };
  const moved: Span[] = [];
  let done = 0;
  for (const { start, end } of valid) {
    const from = (moved.at(-1)?.end ?? 0) + safeText(text.slice(done, start)).length;
    const marked = cleanText(text.slice(start, end));
    if (marked === '' || !safe.startsWith(marked, from)) continue;
    moved.push({ start: from, end: from + marked.length });
    done = end;
  }
  return { text: safe, spans: moved };
}

/** Drops spans that overlap an earlier one: the offsets come from the service and are not trusted. */
const inOrder = (spans: readonly Span[]) =>
  spans.filter(({ start }, index) => start >= Math.max(0, ...spans.slice(0, index).map(({ end }) => end)));

export function safeExchange({ label, request, response, highlights, ...rest }: Exchange): Exchange {
  const { isCut, isDecisive = null, isControl = null } = rest;
  const sent = safeMarked({ text: request, spans: highlights.request });
  const received = safeMarked({ text: response, spans: highlights.response });
  return {
    label: safeText(label),
    request: sent.text,
    response: received.text,
    highlights: { request: [...sent.spans], response: [...received.spans] },
    isCut,
    isDecisive,
    isControl,
  };
}

export const requestOf = ({ request, highlights }: Exchange): Marked => ({ text: request, spans: highlights.request });
export const responseOf = ({ response, highlights }: Exchange): Marked => ({
  text: response,
  spans: highlights.response,
});

const MOST_LABEL = 200;

/** Returns the label and what the exchange is for the proof, on one line. */
export function labelOf({ label, isDecisive, isControl, isCut }: Exchange): string {
  const notes = [isDecisive && 'decisive', isControl && 'control', isCut && 'shortened'].filter(Boolean).join(', ');
  return `${cutText(oneLine(label), MOST_LABEL)}${notes && ` (${notes})`}`;
}

/**
 * Returns the exchanges that tell the most, in the order in which they were sent: the decisive one, then those with
 * something to look at, then controls. Exchanges of earlier releases do not say what they are.
 */
export function tellingOf(exchanges: readonly Exchange[], most: number): { exchange: Exchange; number: number }[] {
  const weight = ({ highlights: { request, response }, isDecisive, isControl }: Exchange) =>
    Number(isDecisive) * 8 + Number(!isControl) * 4 + Number(response.length > 0) * 2 + Number(request.length > 0);
  return exchanges
    .map((exchange, index) => ({ exchange, number: index + 1 }))
    .toSorted((one, other) => weight(other.exchange) - weight(one.exchange) || one.number - other.number)
    .slice(0, most)
    .toSorted((one, other) => one.number - other.number);
}

/** The start line and the usual headers. */
const HEAD = 300;
const CONTEXT = 250;

/** Returns the beginning and the surroundings of each span, at most about `most` characters, with the gaps noted. */
export function excerpt({ text, spans }: Marked, most: number): Marked {
  if (text.length <= most) return { text, spans };
  let kept = '';
  let done = 0;
  const moved: Span[] = [];
  for (const { from, to } of rangesOf({ text, spans }, most)) {
    if (from > done) kept += gap(from - done);
    const shift = kept.length - from;
    const inside = spans.filter(({ start, end }) => start >= from && end <= to);
    moved.push(...inside.map(({ start, end }) => ({ start: start + shift, end: end + shift })));
    kept += text.slice(from, to);
    done = to;
  }
  const rest = text.length - done;
  return { text: kept.toWellFormed() + (rest > 0 ? gap(rest).trimEnd() : ''), spans: moved };
}

const gap = (length: number) => `\n[… ${length} characters …]\n`;

/** Returns the end of the headers, because the head of a page tells nothing, or of the beginning of other texts. */
function endOfHead(text: string, most: number): number {
  const end = text.indexOf('\n\n') + 1;
  return end > 0 && end < most && /<body[\s>]/i.test(text) ? end : Math.min(text.length, most);
}

function rangesOf({ text, spans }: Marked, most: number): { from: number; to: number }[] {
  const head = { from: 0, to: endOfHead(text, spans.length > 0 ? HEAD : most) };
  const ranges = [head];
  let left = most - head.to;
  if (spans.length === 0 && left > 0) {
    const from = text.search(/<body[\s>]/i);
    return [head, { from, to: Math.min(text.length, from + left) }];
  }
  for (const { start, end } of spans) {
    const last = ranges.at(-1) ?? head;
    const from = Math.max(0, start - CONTEXT);
    const to = Math.min(text.length, end + CONTEXT);
    const added = to - Math.max(from, last.to);
    if (added > left) break;
    if (from <= last.to) last.to = Math.max(last.to, to);
    else ranges.push({ from, to });
    left -= Math.max(0, added);
  }
  return ranges;
}
