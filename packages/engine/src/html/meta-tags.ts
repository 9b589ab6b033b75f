import { type Element, type Node, parseTree } from './parse-page.ts';

/** Attributes of one meta tag, by their names in lower case. */
export type MetaTag = ReadonlyMap<string, string>;

/**
 * Returns the meta tags in the head of a page, as a browser with scripting parses it: comments and noscript do not
 * count.
 */
export const metaTagsOf = (page: string): MetaTag[] => metasInHead(page).map(({ attributes }) => attributes);

/**
 * Returns the contents of all meta tags with this name, or this pragma, in the head of a page. Leaves out tags after
 * the end of the head, although browsers move them in.
 */
export function readMetaTags(page: string, name: string, by: 'name' | 'http-equiv' = 'name'): string[] {
  return metasInHead(page)
    .filter(({ isMovedIn }) => !isMovedIn)
    .filter(({ attributes }) => attributes.get(by)?.toLowerCase() === name)
    .map(({ attributes }) => attributes.get('content') ?? '');
}

function metasInHead(page: string) {
  const html = parseTree(page, { isPlaced: true }).document.childNodes.find(isElement('html'));
  const head = html?.childNodes.find(isElement('head'));
  const end = head?.sourceCodeLocation?.endTag?.startOffset ?? Number.POSITIVE_INFINITY;
  return (head?.childNodes ?? []).filter(isElement('meta')).map((meta) => ({
    attributes: new Map(meta.attrs.map((attribute) => [attribute.name, attribute.value])),
    isMovedIn: (meta.sourceCodeLocation?.startOffset ?? 0) >= end,
  }));
}

const isElement =
  (tagName: string) =>
  (node: Node): node is Element =>
    'tagName' in node && node.tagName === tagName;
