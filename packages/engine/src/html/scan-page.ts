import { type Token, Tokenizer, TokenizerMode } from 'parse5';

export interface PageElement {
  name: string;
  /** By lower-case name. */
  attributes: ReadonlyMap<string, string>;
  /** Source of an inline script; empty for all other elements. */
  script: string;
  /** Index of the form element that contains it. */
  form: number | undefined;
}

/** Content of a page as a browser with scripting sees it; skips `template` and `noscript`. */
export interface ScannedPage {
  elements: readonly PageElement[];
  comments: readonly string[];
  /** Visible text without code samples. */
  text: string;
  /** Number of parse errors. */
  errors: number;
}

export const EMPTY_PAGE: ScannedPage = { elements: [], comments: [], text: '', errors: 0 };

/** More than any real page has; limits the memory a hostile page can use. */
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

/** Reads tokens without building a tree, so that deep nesting does not cost extra time. */
export function scanPage(source: string): ScannedPage {
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
