import type { ScannedPage } from './read-page.ts';

export const inlineScripts = ({ elements }: ScannedPage) =>
  elements.map(({ script }) => script).filter((script) => script !== '');

/** What a page says besides its markup: text that is no sample of code, comments, and scripts of its own. */
export const spokenIn = (page: ScannedPage): string[] => [page.text, ...page.comments, ...inlineScripts(page)];

/** The values of attributes that lead somewhere. */
export function linksIn({ elements }: ScannedPage): string[] {
  const names = ['href', 'src', 'action', 'formaction', 'data', 'content'];
  return elements.flatMap(({ attributes }) => names.flatMap((name) => attributes.get(name) ?? []));
}
