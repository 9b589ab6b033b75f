import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/**
 * The contents of all meta tags of this name, or of this pragma, in the head of a page, as a browser with scripts reads it: what stands in a
 * comment, a template or a noscript is no tag. One that follows the head's end is left out, though browsers move it in.
 */
export function readMetaTags(page: string, name: string, by: 'name' | 'http-equiv' = 'name'): string[] {
  const html = parse(page, { sourceCodeLocationInfo: true }).childNodes.find(isElement('html'));
  const head = html?.childNodes.find(isElement('head'));
  const end = head?.sourceCodeLocation?.endTag?.startOffset ?? Number.POSITIVE_INFINITY;
  return (head?.childNodes ?? [])
    .filter(isElement('meta'))
    .filter((meta) => (meta.sourceCodeLocation?.startOffset ?? 0) < end)
    .filter((meta) => attribute(meta, by)?.toLowerCase() === name)
    .map((meta) => attribute(meta, 'content') ?? '');
}

const isElement =
  (tagName: string) =>
  (node: Node): node is Element =>
    'tagName' in node && node.tagName === tagName;

const attribute = ({ attrs }: Element, name: string) => attrs.find((one) => one.name === name)?.value;
