import type { Given } from './define-passive-check.ts';

/** Returns a page with these policies in its headers, for examples. */
export const withPolicy = (...policies: string[]): Given => ({ headers: { 'content-security-policy': policies } });

/** Returns a page with this policy in a meta tag, for examples. */
export const withMetaPolicy = (policy: string): Given => ({
  body: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
});
