import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'dns-wildcard',
  group: 'dns',
  severity: 'INFO',
  cwe: 200,
  title: 'Wildcard DNS record',
  why: 'A wildcard DNS record answers for every hostname below the domain, including ones that were never created. Phishing links with invented subdomains look genuine, and a web server that accepts any Host header serves content under them. A random hostname resolved in our test.',
  fix: 'Replace the wildcard record with records for the hostnames you use. If you need it, have the web server reject unknown Host headers.',
  references: ['https://www.rfc-editor.org/rfc/rfc4592', 'https://cwe.mitre.org/data/definitions/200.html'],
  needs: ['wildcard'],

  *run({ wildcard }) {
    if (wildcard?.isThere) yield { evidence: `${wildcard.name} (random hostname) resolves` };
  },

  examples: [
    { name: 'random hostname resolves', given: { dns: { wildcard: { isThere: true } } }, fails: 1 },
    { name: 'random hostname does not resolve', given: {}, fails: 0 },
    { name: 'target without a hostname', given: { dns: null }, fails: 0 },
  ],
});
