import { type Policy, policyLines } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

const DEPRECATED = [
  'reflected-xss',
  'referrer',
  'disown-opener',
  'prefetch-src',
  'block-all-mixed-content',
  'plugin-types',
];

const deprecated = ({ directives }: Policy) => [
  ...DEPRECATED.filter((name) => directives.has(name)),
  ...(directives.has('report-uri') && !directives.has('report-to') ? ['report-uri (without report-to)'] : []),
];

export default definePassiveCheck({
  id: 'csp-deprecated-directive',
  group: 'csp',
  severity: 'INFO',
  cwe: 477,
  title: 'CSP uses a deprecated directive',
  why: 'The policy contains a directive that has been removed from the specification. Browsers ignore it or will stop supporting it, so the protection that it should give is absent. The evidence lists the deprecated directives.',
  fix: 'Replace referrer with the Referrer-Policy header, disown-opener with Cross-Origin-Opener-Policy, block-all-mixed-content with upgrade-insecure-requests, and add report-to beside report-uri. Remove reflected-xss, prefetch-src and plugin-types.',
  references: [
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy',
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/477.html',
  ],
  needs: ['policies'],

  *run({ policies: { enforced } }) {
    const found = new Set(enforced.flatMap(deprecated));
    if (found.size > 0) yield { evidence: `${[...found].join(', ')}\n${policyLines(enforced)}` };
  },

  examples: [
    { name: 'one deprecated directive', given: withPolicy("default-src 'self'; block-all-mixed-content"), fails: 1 },
    {
      name: 'several deprecated directives',
      given: withPolicy("default-src 'self'; Referrer no-referrer; plugin-types a/b"),
      fails: 1,
    },
    { name: 'report-uri only', given: withPolicy("default-src 'self'; report-uri /csp"), fails: 1 },
    {
      name: 'report-uri and report-to',
      given: withPolicy("default-src 'self'; report-uri /csp; report-to csp"),
      fails: 0,
    },
    { name: 'current directives only', given: withPolicy("default-src 'self'; upgrade-insecure-requests"), fails: 0 },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
