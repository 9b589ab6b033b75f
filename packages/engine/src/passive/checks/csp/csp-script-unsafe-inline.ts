import { directiveLines, openSources } from '../../../evidence/page/policies.ts';
import { unsafeInlineScripts } from '../../../evidence/page/sources.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withMetaPolicy, withPolicy } from '../../example-policies.ts';

export default definePassiveCheck({
  id: 'csp-script-unsafe-inline',
  group: 'csp',
  severity: 'MEDIUM',
  cwe: 79,
  title: "CSP allows inline scripts ('unsafe-inline')",
  why: "The script-src directive contains 'unsafe-inline' without a nonce, hash or 'strict-dynamic'. The browser then executes every inline script and event handler, including those that an attacker injects, so the policy does not stop cross-site scripting (XSS).",
  fix: "Give each inline script a nonce that is random for every response, or add its hash to script-src, and replace event handler attributes with addEventListener. Then remove 'unsafe-inline' from script-src.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#allow-all-inline',
    'https://web.dev/articles/strict-csp',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
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
    { name: 'in a meta policy', given: withMetaPolicy("script-src 'unsafe-inline'"), fails: 1 },
    {
      name: 'beside a second policy for images',
      given: withPolicy("script-src 'unsafe-inline'", "img-src 'self'"),
      fails: 1,
    },
    {
      name: 'in script-src-attr only',
      given: withPolicy("script-src 'self'; script-src-attr 'unsafe-inline'"),
      fails: 1,
    },
    { name: 'with an empty nonce', given: withPolicy("script-src 'unsafe-inline' 'nonce-'"), fails: 1 },
    { name: 'with a nonce', given: withPolicy("script-src 'unsafe-inline' 'nonce-cmFuZG9tMTIz'"), fails: 0 },
    { name: 'with a hash', given: withPolicy("script-src 'unsafe-inline' 'sha256-cmFuZG9tMTIz'"), fails: 0 },
    { name: "with 'strict-dynamic'", given: withPolicy("script-src 'unsafe-inline' 'strict-dynamic'"), fails: 0 },
    {
      name: 'overridden by script-src-elem and script-src-attr',
      given: withPolicy("script-src 'unsafe-inline'; script-src-elem 'self'; script-src-attr 'none'"),
      fails: 0,
    },
    {
      name: 'restricted by a second policy',
      given: withPolicy("script-src 'unsafe-inline'", "script-src 'self'"),
      fails: 0,
    },
    { name: 'in style-src', given: withPolicy("script-src 'self'; style-src 'unsafe-inline'"), fails: 0 },
    { name: 'no script-src, judged by another check', given: withPolicy("img-src 'self'"), fails: 0 },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
