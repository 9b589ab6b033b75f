import { EMPTY_PAGE, type ScannedPage, scanPage } from '../../html/scan-page.ts';
import { headerValues } from '../../http/exchange/headers.ts';
import type { MainPage } from './main-page.ts';

export const isHtmlType = (type: string) => /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type);

/** Returns an empty page if the document is not HTML. */
export function pageOf({ hops, body }: MainPage): ScannedPage {
  const type = headerValues(hops.at(-1)?.headers ?? [], 'content-type')[0] ?? '';
  return isHtmlType(type) ? scanPage(body) : EMPTY_PAGE;
}
