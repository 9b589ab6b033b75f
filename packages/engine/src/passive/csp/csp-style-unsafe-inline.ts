import { definePassiveCheck } from '../../check.ts';
import { directiveLines, openSources } from '../../evidence/policies.ts';
import { unsafeInlineStyles } from '../../evidence/sources.ts';
import { withPolicy } from '../given-policies.ts';

export default definePassiveCheck({
  id: 'csp-style-unsafe-inline',
  group: 'csp',
  severity: 'INFO',
  cwe: 693,
  title: 'The Content-Security-Policy lets styles in the page apply, whoever put them there',
  why: 'A style that is slipped into the page can cover it with something else, and can give away parts of it, letter by letter, through the images that it loads.',
  fix: "Move styles into files, or give them a nonce or a hash, then remove 'unsafe-inline' from style-src. Where a library needs it, script-src matters more.",
  references: ['https://www.w3.org/TR/CSP3/#directive-style-src'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const isOpen = ['style-src-elem', 'style-src-attr'].some(
      (directive) => openSources(enforced, directive, unsafeInlineStyles).length > 0,
    );
    if (isOpen) yield { evidence: directiveLines(enforced, 'style-src-elem', 'style-src-attr') };
  },

  examples: [
    { name: 'in style-src', given: withPolicy("style-src 'self' 'unsafe-inline'"), fails: 1 },
    { name: 'by default', given: withPolicy("default-src 'unsafe-inline'"), fails: 1 },
    { name: 'for attributes only', given: withPolicy("style-src 'self'; style-src-attr 'unsafe-inline'"), fails: 1 },
    { name: 'beside a nonce', given: withPolicy("style-src 'unsafe-inline' 'nonce-cmFuZG9tMTIz'"), fails: 0 },
    { name: 'for scripts', given: withPolicy("script-src 'unsafe-inline'"), fails: 0 },
    { name: 'stopped by another policy', given: withPolicy("style-src 'unsafe-inline'", "style-src 'self'"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
