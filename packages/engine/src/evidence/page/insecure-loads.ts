import type { ScannedPage } from '../../html/scan-page.ts';
import { type Load, loadsOf } from './loads.ts';

/** Browsers treat loopback hosts as secure without encryption. */
const OWN_MACHINE = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns the resources that an HTTPS page loads over HTTP. */
export function insecureLoads(page: ScannedPage, url: URL): Load[] {
  if (url.protocol !== 'https:') return [];
  return loadsOf(page, url).filter((load) => load.url.protocol === 'http:' && !OWN_MACHINE.test(load.url.hostname));
}
