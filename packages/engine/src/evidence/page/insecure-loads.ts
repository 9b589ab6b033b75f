import { type Load, loadsOf } from './loads.ts';
import type { ScannedPage } from './read-page.ts';

/** Browsers trust the own machine without encryption. */
const OWN_MACHINE = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** What a page on https loads over plain http. */
export function insecureLoads(page: ScannedPage, url: URL): Load[] {
  if (url.protocol !== 'https:') return [];
  return loadsOf(page, url).filter((load) => load.url.protocol === 'http:' && !OWN_MACHINE.test(load.url.hostname));
}
