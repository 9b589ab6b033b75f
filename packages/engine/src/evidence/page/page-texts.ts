import type { ScannedPage } from '../../html/scan-page.ts';

export const inlineScripts = ({ elements }: ScannedPage) =>
  elements.map(({ script }) => script).filter((script) => script !== '');

/** Returns the text, comments and inline scripts of a page, without markup and code samples. */
export const textsIn = (page: ScannedPage): string[] => [page.text, ...page.comments, ...inlineScripts(page)];

/** Returns the attribute values that can contain URLs. */
export function linksIn({ elements }: ScannedPage): string[] {
  const names = ['href', 'src', 'action', 'formaction', 'data', 'content'];
  return elements.flatMap(({ attributes }) => names.flatMap((name) => attributes.get(name) ?? []));
}
