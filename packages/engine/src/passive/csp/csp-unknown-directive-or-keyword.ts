import {
  checkInvalidKeyword,
  checkMissingSemicolon,
  checkUnknownDirective,
} from 'csp_evaluator/dist/checks/parser_checks.js';
import { Csp } from 'csp_evaluator/dist/csp.js';
import { definePassiveCheck } from '../../check.ts';
import { type Policy, policyLines } from '../../evidence/policies.ts';
import { withPolicy } from '../given-policies.ts';

/** Newer than the library's lists. */
const NEW_DIRECTIVES = new Set(['fenced-frame-src']);
const NEW_KEYWORDS = /^'(trusted-types-eval|unsafe-webtransport-hashes|report-sha(256|384|512))'$/;
/** Their values are names, addresses or types, which may look like anything. */
const FREE_VALUES = new Set(['report-uri', 'report-to', 'sandbox', 'trusted-types', 'plugin-types', 'referrer']);

/** Names of policies may be those of directives, too. */
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
  title: 'The Content-Security-Policy contains words that browsers do not know',
  why: 'Browsers leave out what they do not understand. A misspelt directive restricts nothing, and self without its quotes is taken for the name of a host.',
  fix: "Correct the spelling: no colon after a directive, single quotes round keywords such as 'self' and 'none', nonces and hashes, a semicolon between directives.",
  references: ['https://www.w3.org/TR/CSP3/#framework-directive-source-list'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const mistakes = new Set(enforced.flatMap(mistakesIn));
    if (mistakes.size > 0) yield { evidence: [...mistakes, policyLines(enforced)].join('\n') };
  },

  examples: [
    { name: 'a directive with a colon', given: withPolicy("default-src: 'self'"), fails: 1 },
    { name: 'a directive that is none', given: withPolicy("default-src 'self'; scripts-src 'none'"), fails: 1 },
    { name: 'self without quotes', given: withPolicy('default-src self'), fails: 1 },
    { name: 'a nonce without quotes', given: withPolicy('script-src nonce-cmFuZG9t'), fails: 1 },
    { name: 'a keyword that is none', given: withPolicy("script-src 'unsafe-inlined'"), fails: 1 },
    { name: 'a semicolon that is missing', given: withPolicy("default-src 'self' script-src 'self'"), fails: 1 },
    {
      name: 'a semicolon that is missing after report-uri',
      given: withPolicy("default-src 'self'; report-uri /csp script-src 'self'"),
      fails: 1,
    },
    { name: 'a semicolon that is missing after sandbox', given: withPolicy('sandbox script-src https:'), fails: 1 },
    { name: 'a report-uri', given: withPolicy("default-src 'self'; report-uri /script-src"), fails: 0 },
    { name: 'a name that every object has', given: withPolicy("constructor 'self'; __proto__ x"), fails: 1 },
    {
      name: 'all as it should be',
      given: withPolicy("default-src 'SELF' https://a.example; script-src 'nonce-AbC/+123=='; sandbox allow-scripts"),
      fails: 0,
    },
    {
      name: 'what is new',
      given: withPolicy("fenced-frame-src 'self'; script-src 'trusted-types-eval' 'report-sha256'"),
      fails: 0,
    },
    {
      name: 'trusted types',
      given: withPolicy("trusted-types default 'allow-duplicates'; require-trusted-types-for 'script'"),
      fails: 0,
    },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
