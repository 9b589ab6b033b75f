import type { ScannedPage } from '../../html/scan-page.ts';
import { type Load, loadsOf } from './loads.ts';
import { isSameSite } from './same-site.ts';

/** Returns the resources a page loads from other sites. */
export const foreignLoads = (page: ScannedPage, url: URL): Load[] =>
  loadsOf(page, url).filter((load) => !isSameSite(load.url, url));

/** Returns the distinct hosts, sorted. */
export const hostsOf = (loads: readonly Load[]) => [...new Set(loads.map(({ url }) => url.hostname))].sort();

/** Returns whether the host is one of these or a subdomain of one. */
export const isHostOf = (hostname: string, hosts: readonly string[]) =>
  hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
