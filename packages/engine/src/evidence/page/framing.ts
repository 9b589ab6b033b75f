import type { MainDocument } from './main-document.ts';
import type { Policy } from './policies.ts';

/** The different values of X-Frame-Options, in upper case. */
export function frameOptions({ headers }: Pick<MainDocument, 'headers'>): string[] {
  const values = headers('x-frame-options').flatMap((value) => value.split(','));
  return [...new Set(values.map((value) => value.trim().toUpperCase()))];
}

const RESTRICTING = new Set(['DENY', 'SAMEORIGIN']);

/**
 * Whether X-Frame-Options keeps other sites from framing the page. Browsers refuse to frame a page with several
 * values as soon as they know one of them, as the HTML standard demands.
 */
export function hasFrameOption(document: Pick<MainDocument, 'headers'>): boolean {
  const options = frameOptions(document);
  return options.some((option) => RESTRICTING.has(option) || (options.length > 1 && option === 'ALLOWALL'));
}

/** The source lists of all frame-ancestors that count. */
export const frameAncestors = (policies: readonly Policy[]) =>
  policies.map(({ directives }) => directives.get('frame-ancestors')).filter((sources) => sources !== undefined);
