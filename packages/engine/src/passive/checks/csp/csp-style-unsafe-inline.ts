import { directiveLines, openSources } from '../../../evidence/page/policies.ts';
import { unsafeInlineStyles } from '../../../evidence/page/sources.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

export default definePassiveCheck({
  id: 'csp-style-unsafe-inline',
  group: 'csp',
  severity: 'INFO',
  cwe: 693,
  title: "CSP allows inline styles ('unsafe-inline')",
  why: "The style-src directive contains 'unsafe-inline', so the browser applies inline styles that an attacker injects. They can overlay the page with misleading content or exfiltrate attribute values through CSS selectors and image requests. The risk is lower than that of inline scripts.",
  fix: "Move inline styles into files, or give them a nonce or a hash. Then remove 'unsafe-inline' from style-src; where a library needs it, secure script-src first.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#directive-style-src',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const isOpen = ['style-src-elem', 'style-src-attr'].some(
      (directive) => openSources(enforced, directive, unsafeInlineStyles).length > 0,
    );
    if (isOpen) yield { evidence: directiveLines(enforced, 'style-src-elem', 'style-src-attr') };
  },

  examples: [
    { name: 'in style-src', given: withPolicy("style-src 'self' 'unsafe-inline'"), fails: 1 },
    { name: 'in default-src', given: withPolicy("default-src 'unsafe-inline'"), fails: 1 },
    { name: 'in style-src-attr only', given: withPolicy("style-src 'self'; style-src-attr 'unsafe-inline'"), fails: 1 },
    { name: 'with a nonce', given: withPolicy("style-src 'unsafe-inline' 'nonce-cmFuZG9tMTIz'"), fails: 0 },
    { name: 'in script-src', given: withPolicy("script-src 'unsafe-inline'"), fails: 0 },
    {
      name: 'restricted by a second policy',
      given: withPolicy("style-src 'unsafe-inline'", "style-src 'self'"),
      fails: 0,
    },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
