import { type Token, tokenizer, tokTypes } from 'acorn';
import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5';
import { parsePage, walk } from '../html/parse-page.ts';

/** Of a program: what a value is in the middle of. Unknown where it cannot be read. */
export type InScript = '"' | "'" | '`' | 'code' | 'line comment' | 'block comment' | 'unknown';

/** Where in a page a value is shown. */
export type Context =
  /** `inside` has to be closed first: a browser reads no markup in it. */
  | { kind: 'text'; inside?: string }
  | { kind: 'comment' }
  /** `before` is what the attribute says before the value, as the browser reads it. */
  | { kind: 'attribute'; tag: string; name: string; quote: '"' | "'" | ''; before: string }
  | { kind: 'script'; isRun: boolean; within: InScript };

/** Piece of the page: from where to where, and what a value in it is in. */
interface Piece {
  start: number;
  end: number;
  contextAt(offset: number): Context;
}

const RAW = new Set(['textarea', 'title', 'style', 'noscript', 'iframe', 'xmp', 'noembed', 'noframes']);
const PROGRAMS = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script(?:;.*)?)$/i;

/** One place where a word is shown. */
interface Shown {
  /** Undefined for a place that a browser does not read. */
  context: Context | undefined;
  /** What comes after the word, up to where it is shown again. */
  rest: string;
}

const MOST_SHOWN = 20;

/** Where the word is shown, in the order of the page; the first places. */
export function contextsOf(html: string, word: string): Shown[] {
  const parts = html.split(word, MOST_SHOWN + 1);
  if (parts.length === 1) return [];
  const nodes = walk(parsePage(html, { isPlaced: true }).document, () => true);
  const pieces = [...nodes].flatMap((node) => piecesOf(node, html));
  let offset = -word.length;
  return parts.slice(1).map((rest, index) => {
    offset += word.length + (parts[index]?.length ?? 0);
    const own = pieces.filter(({ start, end }) => start <= offset && offset < end);
    return { context: own.at(-1)?.contextAt(offset), rest };
  });
}

function piecesOf(node: DefaultTreeAdapterTypes.Node, html: string): Piece[] {
  const place = 'sourceCodeLocation' in node ? node.sourceCodeLocation : undefined;
  if (!place) return [];
  const { startOffset: start, endOffset: end } = place;
  if (defaultTreeAdapter.isCommentNode(node)) return [{ start, end, contextAt: () => ({ kind: 'comment' }) }];
  if (defaultTreeAdapter.isTextNode(node)) {
    const { parentNode } = node;
    return [{ start, end, contextAt: (offset) => textContext(parentNode, html.slice(start, end), offset - start) }];
  }
  if (!defaultTreeAdapter.isElementNode(node)) return [];
  const { tagName } = node;
  return Object.entries(node.sourceCodeLocation?.attrs ?? {}).map(([name, { startOffset, endOffset }]) => ({
    start: startOffset,
    end: endOffset,
    contextAt(offset) {
      const [, quote = '', before = ''] = /^[^=]*=\s*(["']?)(.*)$/s.exec(html.slice(startOffset, offset)) ?? [];
      return { kind: 'attribute', tag: tagName, name, quote: quote as '"' | "'" | '', before };
    },
  }));
}

function textContext(parent: DefaultTreeAdapterTypes.ParentNode | null, text: string, offset: number): Context {
  if (!parent || !defaultTreeAdapter.isElementNode(parent)) return { kind: 'text' };
  const { tagName, attrs } = parent;
  if (tagName === 'script') {
    const type = attrs.find(({ name }) => name === 'type')?.value ?? '';
    return { kind: 'script', isRun: PROGRAMS.test(type.trim()), within: inScript(text, offset) };
  }
  return RAW.has(tagName) ? { kind: 'text', inside: tagName } : { kind: 'text' };
}

/** What the character at the offset of a program is part of. */
export function inScript(program: string, offset: number): InScript {
  let within: InScript | undefined;
  const isHere = ({ start, end }: { start: number; end: number }) => start <= offset && offset < end;
  const tokens = tokenizer(program, {
    ecmaVersion: 'latest',
    allowHashBang: false,
    onComment(isBlock, _text, start, end) {
      if (isHere({ start, end })) within = isBlock ? 'block comment' : 'line comment';
    },
  });
  try {
    for (const token of tokens) {
      if (within === undefined && isHere(token)) within = ofToken(token, program);
      if (within !== undefined || token.start > offset) break;
    }
  } catch (error) {
    // A string that does not end is what it breaks at.
    const quote = program[(error as { pos?: number }).pos ?? -1];
    return within ?? (quote === '"' || quote === "'" ? quote : 'unknown');
  }
  return within ?? 'code';
}

function ofToken({ type, start }: Token, program: string): InScript {
  if (type === tokTypes.string) return program[start] as InScript;
  if (type === tokTypes.template) return '`';
  return type === tokTypes.regexp ? 'unknown' : 'code';
}
