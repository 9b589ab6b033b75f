import { type Token, Tokenizer, TokenizerMode } from 'parse5';

export interface PageElement {
  name: string;
  /** By their names in lower case. */
  attributes: ReadonlyMap<string, string>;
  /** What a script holds itself; empty for everything else. */
  script: string;
  /** The form that it is sent with, by its place among the elements. */
  form: number | undefined;
}

/** What a page is made of, as a browser with scripts reads it: what stands in a template or a noscript is left out. */
export interface ScannedPage {
  elements: readonly PageElement[];
  comments: readonly string[];
  /** What can be read on it, but for what it shows as code. */
  text: string;
  /** Places that are no HTML. */
  errors: number;
}

export const EMPTY_PAGE: ScannedPage = { elements: [], comments: [], text: '', errors: 0 };

/** No honest page has more; a hostile one must not fill the memory. */
const MOST_ELEMENTS = 30_000;
const MOST_COMMENTS = 2_000;

const modes = new Map([
  ...['title', 'textarea'].map((name) => [name, TokenizerMode.RCDATA] as const),
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript'].map(
    (name) => [name, TokenizerMode.RAWTEXT] as const,
  ),
  ['script', TokenizerMode.SCRIPT_DATA] as const,
  ['plaintext', TokenizerMode.PLAINTEXT] as const,
]);
const CODE = new Set(['pre', 'code', 'samp', 'kbd', 'textarea']);
const NESTED = new Set([...CODE, 'template', 'svg', 'math']);
const UNREAD = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript']);

/** Word by word and without a tree: a page that is nested without end takes no longer than any other of its length. */
export function readPage(source: string): ScannedPage {
  const elements: (PageElement & { script: string })[] = [];
  const comments: string[] = [];
  const texts: string[] = [];
  const open = new Map<string, number>();
  let form: number | undefined;
  let errors = 0;
  let last = '';

  const isCode = () => open.size > 0 && [...CODE].some(isIn);
  const isIn = (name: string) => (open.get(name) ?? 0) > 0;
  function nest(name: string, by: 1 | -1): void {
    if (NESTED.has(name)) open.set(name, Math.max(0, (open.get(name) ?? 0) + by));
  }
  function onStartTag({ tagName, attrs, selfClosing }: Token.TagToken): void {
    texts.push('\n');
    last = tagName;
    const isForeign = isIn('svg') || isIn('math');
    if (!(isForeign && selfClosing)) enter(tagName, isForeign);
    if (isIn('template') || elements.length >= MOST_ELEMENTS) return;
    if (tagName === 'form') form ??= elements.length;
    const attributes = new Map(attrs.map(({ name, value }) => [name, value]));
    elements.push({ name: tagName, attributes, script: '', form });
  }
  function enter(name: string, isForeign: boolean): void {
    nest(name, 1);
    if (!isForeign) tokenizer.state = modes.get(name) ?? tokenizer.state;
  }
  function onText({ chars }: Token.CharacterToken): void {
    const element = elements.at(-1);
    if (last === 'script' && element?.name === 'script') element.script += chars;
    else if (!UNREAD.has(last) && last !== 'script' && !isIn('template') && !isCode()) texts.push(chars);
  }
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag,
      onEndTag({ tagName }) {
        texts.push('\n');
        last = '';
        nest(tagName, -1);
        if (tagName === 'form') form = undefined;
      },
      onComment({ data }) {
        if (comments.length < MOST_COMMENTS && !isIn('template')) comments.push(data);
      },
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter() {},
      onDoctype() {},
      onEof() {},
      onParseError: () => void errors++,
    },
  );
  tokenizer.write(source, true);
  return { elements, comments, text: texts.join(''), errors };
}
