import type { Context } from '../../oracle/contexts.ts';
import { type CallForm, type Payload, payloadsIn, writeCall, writePayload } from '../../oracle/payloads.ts';
import { type Echoes, filterOf, type Look, readGroups } from './echoed-filter.ts';
import { firstSpelling, respell } from './filters.ts';
import { inMixedCase } from './rewritings.ts';

interface Limits {
  /** Values to find out what the filter lets through. */
  probes: number;
  /** Payloads to look at before a browser opens any. */
  payloads: number;
}

/** Elements that run a handler by themselves, most likely first. */
const ELEMENTS: readonly { tag: string; attributes: readonly string[]; handler: string; isPressed?: true }[] = [
  { tag: '<img', attributes: ['src'], handler: 'onerror=' },
  { tag: '<svg', attributes: [], handler: 'onload=' },
  { tag: '<details', attributes: ['open'], handler: 'ontoggle=' },
  { tag: '<zz', attributes: ['contenteditable', 'autofocus'], handler: 'onfocus=' },
  { tag: '<iframe', attributes: [], handler: 'src=javascript:' },
  { tag: '<a', attributes: [], handler: 'href=javascript:', isPressed: true },
];
const SCRIPT = ['<script>', '</script>'] as const;
const IN_TAG = ['onfocus=', 'onclick='];
const SEPARATORS = ['/', ' ', '\n', '\f'];
const ADDRESSES = ['javascript:', 'java\tscript:'];

/**
 * Texts that are sent together first, and group by group where that is refused. The first ones decide whether anything
 * else can pass. Brackets are in an order in which they are no tag.
 */
const SIGNS = [['>'], ['%7A', '\uff5a'], ['"'], ["'"], ['(', ')'], ['`'], ['&#40;'], ['<']];
const SPACES = [['/'], [' ']];
const OTHER_SPACES = [['\n'], ['\f']];
const MARKUP = [...inBothCases(...SCRIPT), ...ELEMENTS.flatMap(({ tag, handler }) => inBothCases(handler, tag))];
const HANDLER_WORDS = IN_TAG.flatMap((text) => inBothCases(text));
const ADDRESS_WORDS = ADDRESSES.flatMap((text) => inBothCases(text));

function inBothCases(...texts: readonly string[]): string[][] {
  return [[...texts], texts.map(inMixedCase)];
}

/** Returns the words to ask for at these places. */
function wordsFor({ contexts, shown }: Echoes): string[][] {
  const isInTag = contexts.some((context) => context?.kind === 'attribute');
  const isAddress = contexts.some((context) => context?.kind === 'attribute' && holdsAddress(context));
  const hasMarkup = shown.some((each) => ['', '<'].includes(each.get('<') ?? '-'));
  const inTag = [...(isAddress ? ADDRESS_WORDS : []), ...(isInTag ? HANDLER_WORDS : [])];
  return [...SPACES, ...inTag, ...(hasMarkup ? MARKUP : []), ...OTHER_SPACES];
}

/** Returns whether the value is the start of an address, which may be that of a script. */
const holdsAddress = ({ name, before }: Context & { kind: 'attribute' }) =>
  /^(?:href|src|action|formaction|data|xlink:href)$/.test(name) && before.trim() === '';

type EchoFilter = ReturnType<typeof filterOf>;

/** A payload, and the markup that the page has to show if it passes. */
interface Candidate extends Payload {
  intended: string;
}

function callForms(
  filter: EchoFilter,
  shown: ReadonlyMap<string, string>,
): { inTag: CallForm[]; inScript: CallForm[] } {
  const isKept = (text: string) => shown.get(text) === text;
  const template: CallForm[] = isKept('`') ? ['template'] : [];
  const decoded: CallForm[] = filter.decodes ? [filter.decodes] : [];
  return {
    inTag: [...(isKept('&#40;') ? (['references'] as const) : []), ...template, ...decoded],
    inScript: [...template, ...decoded],
  };
}

/** Returns the first form of the callback that passes; null if none does, undefined for the usual one. */
function formIn(forms: readonly CallForm[], shown: ReadonlyMap<string, string>) {
  const isUsual = ['(', ')', '/'].every((sign) => shown.get(sign) === sign);
  return isUsual ? undefined : (forms[0] ?? null);
}

async function elementsPast(
  filter: EchoFilter,
  call: { inTag: CallForm | undefined | null; inScript: CallForm | undefined | null },
) {
  const found: Candidate[] = [];
  const separator = await firstSpelling(SEPARATORS, filter);
  const close = await respell('>', filter);
  for (const { tag, attributes, handler, isPressed } of separator && call.inTag !== null ? ELEMENTS : []) {
    const [start, end] = [await respell(tag, filter, true), await respell(handler, filter, true)];
    if (start === undefined || end === undefined || !separator) continue;
    // Without its bracket, a tag ends at the next one of the page; the comment hides what is between.
    const last = close ?? '//';
    const write = (spaces: string, texts: readonly [string, string, string]) =>
      `${[texts[0], ...attributes, texts[1]].join(spaces)}CALL${texts[2]}`;
    found.push({
      text: write(separator.spelling, [start, end, last]),
      intended: write(separator.text, [tag, handler, close === undefined ? '//' : '>']),
      ...(call.inTag && { call: call.inTag }),
      ...(isPressed && { isPressed }),
    });
  }
  const [open, closed] = [await respell(SCRIPT[0], filter, true), await respell(SCRIPT[1], filter, true)];
  if (open !== undefined && closed !== undefined && call.inScript !== null)
    found.unshift({
      text: `${open}CALL${closed}`,
      intended: SCRIPT.join('CALL'),
      ...(call.inScript && { call: call.inScript }),
    });
  return found;
}

async function attributesPast(
  context: Context & { kind: 'attribute' },
  filter: EchoFilter,
  form: CallForm | undefined | null,
) {
  if (form === null) return [];
  const { quote } = context;
  const call = form ? { call: form } : {};
  const found: Candidate[] = [];
  const mark = quote === '' ? '' : await respell(quote, filter);
  const separator = await firstSpelling(quote === '' ? SEPARATORS.slice(1) : SEPARATORS, filter);
  if (mark !== undefined && separator) {
    for (const handler of IN_TAG) {
      const spelling = await respell(handler, filter, true);
      if (spelling === undefined) continue;
      const write = (q: string, s: string, on: string) =>
        `z${q}${s}autofocus${s}tabindex=${q}0${q}${s}${on}${q}CALL${q}${s}z=${q}`;
      const intended = write(quote, separator.text, handler);
      found.push({
        text: write(mark, separator.spelling, spelling),
        intended,
        ...call,
        ...(handler === 'onclick=' && { isPressed: true }),
      });
    }
  }
  if (holdsAddress(context)) {
    const address = await firstSpelling(ADDRESSES, filter, true);
    if (address)
      found.push({ text: `${address.spelling}CALL//`, intended: `${address.text}CALL//`, ...call, isPressed: true });
  }
  return found;
}

/** Returns the candidates for a place of the page. */
async function candidatesAt(context: Context, shown: ReadonlyMap<string, string>): Promise<Candidate[]> {
  const filter = filterOf(shown);
  const forms = callForms(filter, shown);
  const call = {
    inTag: formIn(forms.inTag, shown),
    inScript: formIn(forms.inScript, shown),
  };
  const elements = async (end: string) =>
    (await elementsPast(filter, call)).map((each) => ({
      ...each,
      text: end + each.text,
      intended: end + each.intended,
    }));
  if (context.kind === 'comment') return elements('-->');
  if (context.kind === 'text') return elements(context.inside === undefined ? '' : `</${context.inside}>`);
  if (context.kind === 'script') {
    const survived = ['"', "'"].filter((sign) => shown.get(sign) === sign).join('');
    const written = call.inScript === null ? [] : payloadsIn(context, survived);
    const inProgram = written.map(({ text }) => ({
      text,
      intended: text,
      ...(call.inScript && { call: call.inScript }),
    }));
    return [...inProgram, ...(await elements('</script>'))];
  }
  const inTag = await attributesPast(context, filter, call.inTag);
  const quote = context.quote === '' ? '' : await respell(context.quote, filter);
  const close = await respell('>', filter);
  if (quote === undefined || close === undefined) return inTag;
  const after = await elementsPast(filter, call);
  return [
    ...inTag,
    ...after.map((each) => ({
      ...each,
      text: `${quote}${close}${each.text}`,
      intended: `${context.quote}>${each.intended}`,
    })),
  ];
}

/** HTML ignores the case of names; scripts do not ignore that of the callback. */
function isShown(page: string, { intended, call }: Candidate, word: string): boolean {
  const form = call === 'percent' || call === 'wide' ? undefined : call;
  const written = writeCall(word, form);
  return page.includes(written) && page.toLowerCase().includes(intended.replaceAll('CALL', written).toLowerCase());
}

const MOST_FOUND = 2;
/** Separators and two elements, or names of attributes. */
const ENOUGH = 6;

/**
 * Resolves to payloads that the page was seen to show whole although a filter changes the usual ones: a few values find
 * out which signs and words pass, and only payloads of these are sent.
 */
export async function payloadsPastFilter(look: Look, word: string, { probes, payloads }: Limits): Promise<Payload[]> {
  const echoes: Echoes = { contexts: [], shown: [] };
  const reading = { word, look, left: probes, echoes };
  await readGroups(SIGNS, SIGNS.length, reading);
  const mayPass = echoes.shown.some((shown) => {
    const { decodes } = filterOf(shown);
    return decodes !== undefined || ['<', '"', "'"].some((sign) => ['', sign].includes(shown.get(sign) ?? '-'));
  });
  const isDecoded = echoes.shown.every((shown) => filterOf(shown).decodes !== undefined);
  if (mayPass && !isDecoded) await readGroups(wordsFor(echoes), ENOUGH, reading);
  const found: Payload[] = [];
  let left = payloads;
  for (const [place, shown] of mayPass ? echoes.shown.entries() : []) {
    const context = echoes.contexts[place];
    for (const candidate of context ? await candidatesAt(context, shown) : []) {
      if (found.length >= MOST_FOUND || left-- <= 0) return found;
      const { intended: _intended, ...payload } = candidate;
      if (isShown(await look(writePayload(payload, word)), candidate, word)) found.push(payload);
    }
  }
  return found;
}

const ESCAPED = /&lt;|&#0*60;|&#x0*3c;|\\u003c|%3C/i;

/** Resolves to whether the page escapes the odd value, or shows the first of the usual payloads as it was sent. */
export async function isUnfiltered(
  page: string,
  [first]: readonly Payload[],
  word: string,
  look: Look,
): Promise<boolean> {
  if (first) {
    const written = writePayload(first, word);
    return (await look(written)).includes(written);
  }
  const places = page.split(`${word}a`).slice(1);
  return (
    places.length > 0 && places.every((rest) => ESCAPED.test(rest.slice(0, rest.indexOf(`${word}b`) + 1 || undefined)))
  );
}
