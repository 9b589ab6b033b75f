import { definePassiveCheck } from '../../check.ts';
import { directiveLines, openSources } from '../../evidence/policies.ts';
import { withPolicy } from '../given-policies.ts';

const unsafeEval = (sources: readonly string[]) => sources.filter((source) => source.toLowerCase() === "'unsafe-eval'");

export default definePassiveCheck({
  id: 'csp-unsafe-eval',
  group: 'csp',
  severity: 'LOW',
  cwe: 95,
  title: 'The Content-Security-Policy lets text be run as a script',
  why: "With 'unsafe-eval' a text that reaches eval, new Function or setTimeout is run, wherever it came from.",
  fix: "Replace eval and libraries that need it (templates that are compiled in the browser), then remove 'unsafe-eval'. For WebAssembly 'wasm-unsafe-eval' is enough.",
  references: ['https://www.w3.org/TR/CSP3/#directive-script-src'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    if (openSources(enforced, 'script-src', unsafeEval).length > 0)
      yield { evidence: directiveLines(enforced, 'script-src') };
  },

  examples: [
    { name: 'in script-src', given: withPolicy("script-src 'self' 'unsafe-eval'"), fails: 1 },
    { name: 'by default', given: withPolicy("default-src 'UNSAFE-EVAL'"), fails: 1 },
    {
      name: "beside 'strict-dynamic', which does not change it",
      given: withPolicy("script-src 'nonce-cmFuZG9t' 'strict-dynamic' 'unsafe-eval'"),
      fails: 1,
    },
    { name: 'for WebAssembly only', given: withPolicy("script-src 'self' 'wasm-unsafe-eval'"), fails: 0 },
    { name: 'stopped by another policy', given: withPolicy("script-src 'unsafe-eval'", "script-src 'self'"), fails: 0 },
    { name: 'not there', given: withPolicy("script-src 'self'"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
