import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser } from 'parse5';

export type Node = DefaultTreeAdapterTypes.Node;
export type ParentNode = DefaultTreeAdapterTypes.ParentNode;
export type Element = DefaultTreeAdapterTypes.Element;

/** Browsers stop nesting at about this depth; beyond it, parsing takes quadratic time. */
const MOST_DEPTH = 512;
const TOO_DEEP = new Error('too deep');

export interface ParsedPage {
  document: Node;
  /** In document order. */
  elements: Element[];
  text: string;
  /** Returns the form that submits a control, even if bad markup has put it elsewhere in the tree. */
  formOf(control: Element): Element | undefined;
}

/**
 * Drops everything from the first element that is nested deeper than browsers allow. With `isPlaced`, nodes keep their
 * source locations.
 */
export function parseTree(html: string, { isPlaced = false } = {}) {
  const openForms = new Map<Element, Element>();
  let depth = 0;
  const parser = new Parser<DefaultTreeAdapterMap>({
    sourceCodeLocationInfo: isPlaced,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(...facts) {
        const element = defaultTreeAdapter.createElement(...facts);
        if (parser.formElement) openForms.set(element, parser.formElement);
        return element;
      },
      onItemPush() {
        if (++depth > MOST_DEPTH) throw TOO_DEEP;
      },
      onItemPop: () => void depth--,
    },
  });
  try {
    parser.tokenizer.write(html, true);
  } catch (error) {
    if (error !== TOO_DEEP) throw error;
  }
  return { document: parser.document, openForms };
}

export function parsePage(html: string): ParsedPage {
  const { document, openForms } = parseTree(html);
  const elements = elementsOf(document);
  const forms = elements.filter(({ tagName }) => tagName === 'form');
  const byId = new Map(forms.map((form) => [attribute(form, 'id'), form]));
  return {
    document,
    elements,
    text: textOf(document),
    formOf(control) {
      const named = attribute(control, 'form');
      return named === undefined ? (formAround(control) ?? openForms.get(control)) : byId.get(named);
    },
  };
}

function formAround(control: Element): Element | undefined {
  for (let node: Node | null = control.parentNode; node && 'parentNode' in node; node = node.parentNode) {
    if (node.nodeName === 'form') return node as Element;
  }
  return undefined;
}

export const { isElementNode: isElement, isTextNode: isText, isCommentNode: isComment } = defaultTreeAdapter;

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

/** Iterative, because a page may be nested deeper than the call stack allows. */
export function* walk(root: Node, isEntered: (element: Element) => boolean): Generator<Node> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isElement(node) && node !== root && !isEntered(node)) continue;
    yield node;
    if ('content' in node) waiting.push(node.content);
    const children = 'childNodes' in node ? node.childNodes : [];
    for (let index = children.length - 1; index >= 0; index--) waiting.push(children[index] as Node);
  }
}

/** Includes the contents of templates, which scripts add to the page. */
export function elementsOf(root: Node): Element[] {
  return [...walk(root, () => true)].filter((node) => isElement(node));
}

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'head']);

export const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Returns the visible text, up to `most` characters. */
export function textOf(root: Node, most = Number.POSITIVE_INFINITY): string {
  if (isElement(root) && UNSEEN.has(root.tagName)) return '';
  const parts: string[] = [];
  let length = 0;
  for (const node of walk(root, ({ tagName }) => !UNSEEN.has(tagName))) {
    if (!isText(node)) continue;
    parts.push(node.value.slice(0, most - length));
    length += node.value.length + 1;
    if (length >= most) break;
  }
  return squeeze(parts.join(' '));
}
