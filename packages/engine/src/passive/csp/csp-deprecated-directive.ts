import { definePassiveCheck } from '../../check.ts';
import { type Policy, policyLines } from '../../evidence/policies.ts';
import { withPolicy } from '../given-policies.ts';

const ABANDONED = [
  'reflected-xss',
  'referrer',
  'disown-opener',
  'prefetch-src',
  'block-all-mixed-content',
  'plugin-types',
];

const deprecated = ({ directives }: Policy) => [
  ...ABANDONED.filter((name) => directives.has(name)),
  ...(directives.has('report-uri') && !directives.has('report-to') ? ['report-uri (without report-to)'] : []),
];

export default definePassiveCheck({
  id: 'csp-deprecated-directive',
  group: 'csp',
  severity: 'INFO',
  cwe: 477,
  title: 'The Content-Security-Policy uses a directive that has been given up',
  why: 'Browsers ignore the directive, or will do so one day; what it was meant to do is done in another way now.',
  fix: 'Remove it. Instead of referrer send Referrer-Policy, instead of disown-opener Cross-Origin-Opener-Policy, instead of block-all-mixed-content upgrade-insecure-requests; beside report-uri name a report-to endpoint.',
  references: ['https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy'],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const found = new Set(enforced.flatMap(deprecated));
    if (found.size > 0) yield { evidence: `${[...found].join(', ')}\n${policyLines(enforced)}` };
  },

  examples: [
    { name: 'one of them', given: withPolicy("default-src 'self'; block-all-mixed-content"), fails: 1 },
    { name: 'several', given: withPolicy("default-src 'self'; Referrer no-referrer; plugin-types a/b"), fails: 1 },
    { name: 'reports in the old way only', given: withPolicy("default-src 'self'; report-uri /csp"), fails: 1 },
    {
      name: 'reports in both ways',
      given: withPolicy("default-src 'self'; report-uri /csp; report-to csp"),
      fails: 0,
    },
    { name: 'none of them', given: withPolicy("default-src 'self'; upgrade-insecure-requests"), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
