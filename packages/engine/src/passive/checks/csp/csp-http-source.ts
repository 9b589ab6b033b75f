import { insecureSources } from '../../../evidence/page/insecure-sources.ts';
import { policyLines } from '../../../evidence/page/policies.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';
import { withPolicy } from '../../example-policies.ts';

export default definePassiveCheck({
  id: 'csp-http-source',
  group: 'csp',
  severity: 'LOW',
  cwe: 319,
  title: 'CSP allows scripts or other active content over HTTP',
  why: 'The policy of this HTTPS page allows scripts, styles, frames or other active content from http: sources. An attacker on the network path can modify such content and execute code in the page. Browsers block most of it as mixed content, and upgrade-insecure-requests lowers the severity.',
  fix: 'Change these sources to https:// and update the URLs in the page. Add upgrade-insecure-requests during the migration.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
    'https://www.w3.org/TR/CSP3/#match-schemes',
    'https://www.w3.org/TR/upgrade-insecure-requests/',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['mainDocument', 'policies'],

  *run({ mainDocument, policies: { enforced } }) {
    const insecure = insecureSources(enforced, 'ACTIVE');
    if (mainDocument.url.protocol !== 'https:' || insecure.length === 0) return;
    const evidence = `HTTP sources: ${insecure.join(' ')}\n${policyLines(enforced)}`;
    const isUpgraded = enforced.some(({ directives }) => directives.has('upgrade-insecure-requests'));
    yield isUpgraded ? { evidence, severity: 'INFO' } : { evidence };
  },

  examples: [
    { name: 'HTTP host in script-src', given: withPolicy("script-src 'self' http://a.example"), fails: 1 },
    { name: 'http: in script-src', given: withPolicy('script-src HTTP:'), fails: 1 },
    { name: 'HTTP host in default-src', given: withPolicy("default-src 'self' http://a.example"), fails: 1 },
    { name: 'FTP host in style-src', given: withPolicy("default-src 'self'; style-src ftp://a.example"), fails: 1 },
    {
      name: 'HTTP frames with upgrade-insecure-requests',
      given: withPolicy('frame-src http://a.example; upgrade-insecure-requests'),
      fails: 1,
      severity: 'INFO',
    },
    {
      name: "styles under a default-src with 'strict-dynamic', which applies to scripts only",
      given: withPolicy("default-src 'nonce-cmFuZG9t' 'strict-dynamic' http:"),
      fails: 1,
    },
    {
      name: "strict CSP, where 'strict-dynamic' ignores schemes",
      given: withPolicy("script-src 'nonce-cmFuZG9t' 'strict-dynamic' 'unsafe-inline' https: http:; object-src 'none'"),
      fails: 0,
    },
    { name: 'HTTPS sources', given: withPolicy("script-src 'self' https://a.example"), fails: 0 },
    { name: 'HTTP images, judged by another check', given: withPolicy('img-src http://a.example'), fails: 0 },
    { name: 'HTTP report-uri', given: withPolicy("default-src 'self'; report-uri http://a.example/"), fails: 0 },
    {
      name: 'restricted by a second policy',
      given: withPolicy('script-src http://a.example', "script-src 'self'"),
      fails: 0,
    },
    {
      name: 'page over HTTP',
      given: { ...withPolicy('script-src http://a.example'), url: 'http://site.example/' },
      fails: 0,
    },
    { name: 'no policy', given: {}, fails: 0 },
  ],
});
