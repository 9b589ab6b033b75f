import { directiveLines, openSources } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

const unsafeEval = (sources: readonly string[]) => sources.filter((source) => source.toLowerCase() === "'unsafe-eval'");

export default definePassiveCheck({
  id: 'csp-unsafe-eval',
  group: 'csp',
  severity: 'LOW',
  cwe: 95,
  title: "CSP allows eval ('unsafe-eval')",
  why: "The script-src directive contains 'unsafe-eval', so the page may compile strings with eval, new Function or setTimeout. If attacker-controlled input reaches one of these calls, it runs as script (DOM-based XSS) despite the policy.",
  fix: "Replace eval and libraries that depend on it, such as templates compiled in the browser. Then remove 'unsafe-eval'; WebAssembly needs 'wasm-unsafe-eval' only.",
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#directive-script-src',
    'https://cwe.mitre.org/data/definitions/95.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    if (openSources(enforced, 'script-src', unsafeEval).length > 0)
      yield { evidence: directiveLines(enforced, 'script-src') };
  },

  examples: [
    { name: 'in script-src', given: withPolicy("script-src 'self' 'unsafe-eval'"), fails: 1 },
    { name: 'in default-src', given: withPolicy("default-src 'UNSAFE-EVAL'"), fails: 1 },
    {
      name: "with 'strict-dynamic', which does not disable it",
      given: withPolicy("script-src 'nonce-cmFuZG9t' 'strict-dynamic' 'unsafe-eval'"),
      fails: 1,
    },
    { name: "'wasm-unsafe-eval' only", given: withPolicy("script-src 'self' 'wasm-unsafe-eval'"), fails: 0 },
    {
      name: 'restricted by a second policy',
      given: withPolicy("script-src 'unsafe-eval'", "script-src 'self'"),
      fails: 0,
    },
    { name: "no 'unsafe-eval'", given: withPolicy("script-src 'self'"), fails: 0 },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
