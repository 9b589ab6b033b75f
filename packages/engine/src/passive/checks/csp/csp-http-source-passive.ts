import { insecureSources } from '../../../evidence/page/insecure-sources.ts';
import { policyLines } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

export default definePassiveCheck({
  id: 'csp-http-source-passive',
  group: 'csp',
  severity: 'LOW',
  cwe: 319,
  title: 'CSP allows images or media over HTTP',
  why: 'The img-src or media-src directive of this HTTPS page contains an http: source. An attacker on the network path can replace images and media, and learns which pages the user visits. The evidence lists the HTTP sources.',
  fix: 'Change the sources of img-src and media-src to https:// and update the URLs in the page. Add upgrade-insecure-requests during the migration.',
  references: [
    'https://www.w3.org/TR/mixed-content/',
    'https://www.w3.org/TR/CSP3/#match-schemes',
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['mainDocument', 'policies'],

  *run({ mainDocument, policies: { enforced } }) {
    if (mainDocument.url.protocol !== 'https:' || insecureSources(enforced, 'ACTIVE').length > 0) return;
    const insecure = insecureSources(enforced, 'PASSIVE');
    if (insecure.length > 0) yield { evidence: `HTTP sources: ${insecure.join(' ')}\n${policyLines(enforced)}` };
  },

  examples: [
    { name: 'HTTP host in img-src', given: withPolicy("default-src 'self'; img-src http://a.example"), fails: 1 },
    { name: 'http: in media-src', given: withPolicy('media-src http:'), fails: 1 },
    { name: 'HTTPS sources', given: withPolicy('img-src https: data:'), fails: 0 },
    {
      name: 'HTTP host in default-src, judged by another check',
      given: withPolicy('default-src http://a.example'),
      fails: 0,
    },
    { name: 'page over HTTP', given: { ...withPolicy('img-src http:'), url: 'http://site.example/' }, fails: 0 },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
