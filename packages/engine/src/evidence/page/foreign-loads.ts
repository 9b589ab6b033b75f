import { type Load, loadsOf } from './loads.ts';
import type { ScannedPage } from './read-page.ts';
import { isSameSite } from './same-site.ts';

/** What a page loads from sites of other owners. */
export const foreignLoads = (page: ScannedPage, url: URL): Load[] =>
  loadsOf(page, url).filter((load) => !isSameSite(load.url, url));

/** The different hosts, in order. */
export const hostsOf = (loads: readonly Load[]) => [...new Set(loads.map(({ url }) => url.hostname))].sort();

/** Whether a host is one of these, or lies below one. */
export const isHostOf = (hostname: string, hosts: readonly string[]) =>
  hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
