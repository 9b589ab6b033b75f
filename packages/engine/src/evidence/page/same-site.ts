import { siteOf } from './main-page.ts';

/** Whether two addresses belong to the same owner, as far as names tell. */
export const isSameSite = (one: URL, other: URL) => siteOf(one.href) === siteOf(other.href);
