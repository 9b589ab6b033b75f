import { siteOf } from './main-page.ts';

/** Returns whether two URLs belong to the same site, and so presumably to the same owner. */
export const isSameSite = (one: URL, other: URL) => siteOf(one.href) === siteOf(other.href);
