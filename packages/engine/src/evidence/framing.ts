import type { MainDocument } from './main-document.ts';
import type { Policy } from './policies.ts';

/** The different values of X-Frame-Options, in upper case. */
export function frameOptions({ headers }: Pick<MainDocument, 'headers'>): string[] {
  const values = headers('x-frame-options').flatMap((value) => value.split(','));
  return [...new Set(values.map((value) => value.trim().toUpperCase()))];
}

/** X-Frame-Options as browsers heed it: one value, and one that they know. */
export function hasFrameOption(document: Pick<MainDocument, 'headers'>): boolean {
  const [option = '', ...others] = frameOptions(document);
  return others.length === 0 && (option === 'DENY' || option === 'SAMEORIGIN');
}

/** The source lists of all frame-ancestors that count. */
export const frameAncestors = (policies: readonly Policy[]) =>
  policies.map(({ directives }) => directives.get('frame-ancestors')).filter((sources) => sources !== undefined);
