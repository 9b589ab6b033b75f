import { definePassiveCheck } from '../../check.ts';
import { directiveLines, openSources } from '../../evidence/policies.ts';
import { unsafeInlineScripts } from '../../evidence/sources.ts';
import { withMetaPolicy, withPolicy } from '../given-policies.ts';

export default definePassiveCheck({
  id: 'csp-script-unsafe-inline',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 79,
  title: 'The Content-Security-Policy lets scripts in the page run, whoever put them there',
  why: "With 'unsafe-inline' a script tag or an event handler that somebody slipped into the page runs as if it were the site's own. That is what the policy should prevent.",
  fix: "Give each script of the page a nonce that is new for every answer, or its hash, and move event handlers into scripts; then remove 'unsafe-inline' from script-src.",
  references: ['https://www.w3.org/TR/CSP3/#allow-all-inline', 'https://web.dev/articles/strict-csp'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const isOpen = ['script-src-elem', 'script-src-attr'].some(
      (directive) => openSources(enforced, directive, unsafeInlineScripts).length > 0,
    );
    if (isOpen) yield { evidence: directiveLines(enforced, 'script-src-elem', 'script-src-attr') };
  },

  examples: [
    { name: 'in script-src', given: withPolicy("script-src 'self' 'Unsafe-Inline'"), fails: 1 },
    { name: 'in default-src', given: withPolicy("default-src 'unsafe-inline'"), fails: 1 },
    { name: 'in the page', given: withMetaPolicy("script-src 'unsafe-inline'"), fails: 1 },
    {
      name: 'in a policy that is followed by one about images',
      given: withPolicy("script-src 'unsafe-inline'", "img-src 'self'"),
      fails: 1,
    },
    {
      name: 'for event handlers only',
      given: withPolicy("script-src 'self'; script-src-attr 'unsafe-inline'"),
      fails: 1,
    },
    { name: 'beside a nonce that is none', given: withPolicy("script-src 'unsafe-inline' 'nonce-'"), fails: 1 },
    { name: 'beside a nonce', given: withPolicy("script-src 'unsafe-inline' 'nonce-cmFuZG9tMTIz'"), fails: 0 },
    { name: 'beside a hash', given: withPolicy("script-src 'unsafe-inline' 'sha256-cmFuZG9tMTIz'"), fails: 0 },
    { name: "beside 'strict-dynamic'", given: withPolicy("script-src 'unsafe-inline' 'strict-dynamic'"), fails: 0 },
    {
      name: 'overruled for tags and for handlers',
      given: withPolicy("script-src 'unsafe-inline'; script-src-elem 'self'; script-src-attr 'none'"),
      fails: 0,
    },
    {
      name: 'stopped by another policy',
      given: withPolicy("script-src 'unsafe-inline'", "script-src 'self'"),
      fails: 0,
    },
    { name: 'for styles', given: withPolicy("script-src 'self'; style-src 'unsafe-inline'"), fails: 0 },
    { name: 'no word of scripts, which another check judges', given: withPolicy("img-src 'self'"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
