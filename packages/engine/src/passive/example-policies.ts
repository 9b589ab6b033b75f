import type { Given } from './define-passive-check.ts';

/** For examples: a page with these policies in its headers. */
export const withPolicy = (...policies: string[]): Given => ({ headers: { 'content-security-policy': policies } });

/** For examples: a page with this policy in its head. */
export const withMetaPolicy = (policy: string): Given => ({
  body: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
});
