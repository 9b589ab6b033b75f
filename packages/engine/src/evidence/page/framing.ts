import type { MainDocument } from './main-document.ts';
import type { Policy } from './policies.ts';

/** Returns the distinct values of X-Frame-Options in upper case. */
export function frameOptions({ headers }: Pick<MainDocument, 'headers'>): string[] {
  const values = headers('x-frame-options').flatMap((value) => value.split(','));
  return [...new Set(values.map((value) => value.trim().toUpperCase()))];
}

const RESTRICTING = new Set(['DENY', 'SAMEORIGIN']);

/**
 * Returns whether X-Frame-Options keeps other sites from framing the page. With several values, browsers refuse framing
 * as soon as one of them is known, as the HTML standard requires.
 */
export function hasFrameOption(document: Pick<MainDocument, 'headers'>): boolean {
  const options = frameOptions(document);
  return options.some((option) => RESTRICTING.has(option) || (options.length > 1 && option === 'ALLOWALL'));
}

/** Returns the source lists of all frame-ancestors directives in force. */
export const frameAncestors = (policies: readonly Policy[]) =>
  policies.map(({ directives }) => directives.get('frame-ancestors')).filter((sources) => sources !== undefined);
