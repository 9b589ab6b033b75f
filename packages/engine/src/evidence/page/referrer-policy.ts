import type { MainDocument } from './main-document.ts';

const POLICIES = new Set([
  'no-referrer',
  'no-referrer-when-downgrade',
  'same-origin',
  'origin',
  'strict-origin',
  'origin-when-cross-origin',
  'strict-origin-when-cross-origin',
  'unsafe-url',
]);

/** Legacy keywords that browsers still accept in meta tags. */
const OLD_WORDS: ReadonlyMap<string, string> = new Map([
  ['never', 'no-referrer'],
  ['default', 'strict-origin-when-cross-origin'],
  ['always', 'unsafe-url'],
  ['origin-when-crossorigin', 'origin-when-cross-origin'],
]);

/** Returns the keywords that browsers know, in the order sent. */
export function validReferrerPolicies(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((word) => word.trim().toLowerCase())
    .filter((word) => POLICIES.has(word));
}

/** Returns the policy in force: the last valid keyword, with meta tags after headers. */
export function referrerPolicyOf({
  headers,
  metaTags,
}: Pick<MainDocument, 'headers' | 'metaTags'>): string | undefined {
  const inPage = metaTags
    .filter((tag) => tag.get('name')?.toLowerCase() === 'referrer')
    .map((tag) => (tag.get('content') ?? '').trim().toLowerCase())
    .map((word) => OLD_WORDS.get(word) ?? word);
  return validReferrerPolicies([...headers('referrer-policy'), ...inPage]).at(-1);
}
