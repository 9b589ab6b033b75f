import {
  checkInvalidKeyword,
  checkMissingSemicolon,
  checkUnknownDirective,
} from 'csp_evaluator/dist/checks/parser_checks.js';
import { Csp } from 'csp_evaluator/dist/csp.js';
import { type Policy, policyLines } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

/** Newer than the lists of the library. */
const NEW_DIRECTIVES = new Set(['fenced-frame-src']);
const NEW_KEYWORDS = /^'(trusted-types-eval|unsafe-webtransport-hashes|report-sha(256|384|512))'$/;
/** Directives whose values are not sources. */
const FREE_VALUES = new Set(['report-uri', 'report-to', 'sandbox', 'trusted-types', 'plugin-types', 'referrer']);

/** Their values are free names, which may equal the name of a directive. */
const NAMED_FREELY = new Set(['trusted-types', 'report-to']);

const lowered = (source: string) => (/^'(nonce|sha\d+)-/i.test(source) ? source : source.toLowerCase());

function mistakesIn({ directives }: Policy): string[] {
  const named = [...directives].filter(([name]) => !NEW_DIRECTIVES.has(name));
  const without = (names: ReadonlySet<string>) =>
    new Csp(
      Object.fromEntries(named.filter(([name]) => !names.has(name)).map(([name, all]) => [name, all.map(lowered)])),
    );
  return [
    ...checkUnknownDirective(new Csp(Object.fromEntries(named.map(([name]) => [name, []])))),
    ...checkMissingSemicolon(without(NAMED_FREELY)),
    ...checkInvalidKeyword(without(FREE_VALUES)).filter(({ value = '' }) => !NEW_KEYWORDS.test(value)),
  ].map(({ description }) => description);
}

export default definePassiveCheck({
  id: 'csp-unknown-directive-or-keyword',
  group: 'csp',
  severity: 'LOW',
  cwe: 693,
  title: 'CSP contains unknown directives or keywords',
  why: 'The policy contains a directive or keyword that browsers do not know, or lacks a semicolon. Browsers ignore unknown directives, so they restrict nothing, and read self without quotes as a host name. The policy is then weaker or stricter than intended.',
  fix: "Correct the spelling: no colon after a directive, a semicolon between directives, and single quotes around 'self', 'none', nonces and hashes. Validate the result with CSP Evaluator.",
  references: [
    'https://www.w3.org/TR/CSP3/#framework-directive-source-list',
    'https://csp-evaluator.withgoogle.com/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const mistakes = new Set(enforced.flatMap(mistakesIn));
    if (mistakes.size > 0) yield { evidence: [...mistakes, policyLines(enforced)].join('\n') };
  },

  examples: [
    { name: 'directive with a colon', given: withPolicy("default-src: 'self'"), fails: 1 },
    { name: 'unknown directive', given: withPolicy("default-src 'self'; scripts-src 'none'"), fails: 1 },
    { name: 'self without quotes', given: withPolicy('default-src self'), fails: 1 },
    { name: 'nonce without quotes', given: withPolicy('script-src nonce-cmFuZG9t'), fails: 1 },
    { name: 'unknown keyword', given: withPolicy("script-src 'unsafe-inlined'"), fails: 1 },
    { name: 'missing semicolon', given: withPolicy("default-src 'self' script-src 'self'"), fails: 1 },
    {
      name: 'missing semicolon after report-uri',
      given: withPolicy("default-src 'self'; report-uri /csp script-src 'self'"),
      fails: 1,
    },
    { name: 'missing semicolon after sandbox', given: withPolicy('sandbox script-src https:'), fails: 1 },
    {
      name: 'report-uri that contains a directive name',
      given: withPolicy("default-src 'self'; report-uri /script-src"),
      fails: 0,
    },
    { name: 'names of Object.prototype', given: withPolicy("constructor 'self'; __proto__ x"), fails: 1 },
    {
      name: 'valid policy',
      given: withPolicy("default-src 'SELF' https://a.example; script-src 'nonce-AbC/+123=='; sandbox allow-scripts"),
      fails: 0,
    },
    {
      name: 'directives and keywords newer than the library',
      given: withPolicy("fenced-frame-src 'self'; script-src 'trusted-types-eval' 'report-sha256'"),
      fails: 0,
    },
    {
      name: 'Trusted Types directives',
      given: withPolicy("trusted-types default 'allow-duplicates'; require-trusted-types-for 'script'"),
      fails: 0,
    },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
