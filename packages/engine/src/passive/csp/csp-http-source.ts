import { definePassiveCheck } from '../../check.ts';
import { insecureSources } from '../../evidence/insecure-sources.ts';
import { policyLines } from '../../evidence/policies.ts';
import { withPolicy } from '../given-policies.ts';

export default definePassiveCheck({
  id: 'csp-http-source',
  group: 'csp',
  severity: 'LOW',
  cwe: 319,
  title: 'The Content-Security-Policy admits scripts or other active content over plain http',
  why: 'What comes over plain http can be changed by anybody on the way, and then runs in a page that visitors take for safe.',
  fix: 'Write these sources with https:// and load them so. As long as that is not done, add upgrade-insecure-requests.',
  references: ['https://www.w3.org/TR/CSP3/#match-schemes', 'https://www.w3.org/TR/upgrade-insecure-requests/'],
  needs: ['mainDocument', 'policies'],

  *run({ mainDocument, policies: { enforced } }) {
    const insecure = insecureSources(enforced, 'ACTIVE');
    if (mainDocument.url.protocol !== 'https:' || insecure.length === 0) return;
    const evidence = `over plain http: ${insecure.join(' ')}\n${policyLines(enforced)}`;
    const isUpgraded = enforced.some(({ directives }) => directives.has('upgrade-insecure-requests'));
    yield isUpgraded ? { evidence, severity: 'INFO' } : { evidence };
  },

  examples: [
    { name: 'scripts of a host', given: withPolicy("script-src 'self' http://a.example"), fails: 1 },
    { name: 'the whole scheme', given: withPolicy('script-src HTTP:'), fails: 1 },
    { name: 'by default', given: withPolicy("default-src 'self' http://a.example"), fails: 1 },
    { name: 'styles over ftp', given: withPolicy("default-src 'self'; style-src ftp://a.example"), fails: 1 },
    {
      name: 'frames, but upgraded',
      given: withPolicy('frame-src http://a.example; upgrade-insecure-requests'),
      fails: 1,
      severity: 'INFO',
    },
    {
      name: "styles that fall back to a default-src with 'strict-dynamic', which rules scripts only",
      given: withPolicy("default-src 'nonce-cmFuZG9t' 'strict-dynamic' http:"),
      fails: 1,
    },
    {
      name: "Google's strict CSP: 'strict-dynamic' makes browsers ignore schemes",
      given: withPolicy("script-src 'nonce-cmFuZG9t' 'strict-dynamic' 'unsafe-inline' https: http:; object-src 'none'"),
      fails: 0,
    },
    { name: 'https', given: withPolicy("script-src 'self' https://a.example"), fails: 0 },
    { name: 'images, which another check judges', given: withPolicy('img-src http://a.example'), fails: 0 },
    { name: 'a place for reports', given: withPolicy("default-src 'self'; report-uri http://a.example/"), fails: 0 },
    {
      name: 'stopped by another policy',
      given: withPolicy('script-src http://a.example', "script-src 'self'"),
      fails: 0,
    },
    {
      name: 'a page on plain http',
      given: { ...withPolicy('script-src http://a.example'), url: 'http://site.example/' },
      fails: 0,
    },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
