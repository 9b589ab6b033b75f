import { type Token, tokenizer, tokTypes } from 'acorn';
import { isComment, isElement, isText, type Node, type ParentNode, parseTree, walk } from '../html/parse-page.ts';

/** Syntactic position of a value in a script; `unknown` if it cannot be determined. */
export type InScript = '"' | "'" | '`' | 'code' | 'line comment' | 'block comment' | 'unknown';

/** HTML context in which a page reflects a value. */
export type Context =
  /** `inside` names an element that must be closed first, because browsers parse no markup in it. */
  | { kind: 'text'; inside?: string }
  | { kind: 'comment' }
  /** `before` is the source of the attribute's value in front of the reflection. */
  | { kind: 'attribute'; tag: string; name: string; quote: '"' | "'" | ''; before: string }
  | { kind: 'script'; isRun: boolean; within: InScript };

/** Range of the page's source, and the context of a value at an offset in it. */
interface Piece {
  start: number;
  end: number;
  contextAt(offset: number): Context;
}

const RAW = new Set(['textarea', 'title', 'style', 'noscript', 'iframe', 'xmp', 'noembed', 'noframes']);
const PROGRAMS = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script(?:;.*)?)$/i;

/** One reflection of a word. */
interface Shown {
  /** Undefined if no text, comment or attribute of the parsed page is at this position. */
  context: Context | undefined;
  /** Source after the word, up to its next reflection. */
  rest: string;
}

const MOST_SHOWN = 20;

/** Returns the first reflections of the word, in page order. */
export function contextsOf(html: string, word: string): Shown[] {
  const parts = html.split(word, MOST_SHOWN + 1);
  if (parts.length === 1) return [];
  const nodes = walk(parseTree(html, { isPlaced: true }).document, () => true);
  const pieces = [...nodes].flatMap((node) => piecesOf(node, html));
  let offset = -word.length;
  return parts.slice(1).map((rest, index) => {
    offset += word.length + (parts[index]?.length ?? 0);
    const own = pieces.filter(({ start, end }) => start <= offset && offset < end);
    return { context: own.at(-1)?.contextAt(offset), rest };
  });
}

function piecesOf(node: Node, html: string): Piece[] {
  const place = 'sourceCodeLocation' in node ? node.sourceCodeLocation : undefined;
  if (!place) return [];
  const { startOffset: start, endOffset: end } = place;
  if (isComment(node)) return [{ start, end, contextAt: () => ({ kind: 'comment' }) }];
  if (isText(node)) {
    const { parentNode } = node;
    return [{ start, end, contextAt: (offset) => textContext(parentNode, html.slice(start, end), offset - start) }];
  }
  if (!isElement(node)) return [];
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

function textContext(parent: ParentNode | null, text: string, offset: number): Context {
  if (!parent || !isElement(parent)) return { kind: 'text' };
  const { tagName, attrs } = parent;
  if (tagName === 'script') {
    const type = attrs.find(({ name }) => name === 'type')?.value ?? '';
    return { kind: 'script', isRun: PROGRAMS.test(type.trim()), within: inScript(text, offset) };
  }
  return RAW.has(tagName) ? { kind: 'text', inside: tagName } : { kind: 'text' };
}

/** Returns the syntactic position of the character at an offset of a script. */
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
    // The tokenizer fails at the opening quote of an unterminated string.
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
