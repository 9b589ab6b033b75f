import { definePassiveCheck } from '../../check.ts';
import { insecureSources } from '../../evidence/insecure-sources.ts';
import { policyLines } from '../../evidence/policies.ts';
import { withPolicy } from '../given-policies.ts';

export default definePassiveCheck({
  id: 'csp-http-source-passive',
  group: 'csp',
  severity: 'LOW',
  cwe: 319,
  title: 'The Content-Security-Policy admits images or media over plain http',
  why: 'Somebody on the way can replace what visitors see or hear, and learns which pages they look at.',
  fix: 'Write the sources of img-src and media-src with https:// and load them so.',
  references: ['https://www.w3.org/TR/mixed-content/', 'https://www.w3.org/TR/CSP3/#match-schemes'],
  needs: ['mainDocument', 'policies'],

  *run({ mainDocument, policies: { enforced } }) {
    if (mainDocument.url.protocol !== 'https:' || insecureSources(enforced, 'ACTIVE').length > 0) return;
    const insecure = insecureSources(enforced, 'PASSIVE');
    if (insecure.length > 0) yield { evidence: `over plain http: ${insecure.join(' ')}\n${policyLines(enforced)}` };
  },

  examples: [
    { name: 'images of a host', given: withPolicy("default-src 'self'; img-src http://a.example"), fails: 1 },
    { name: 'media of the whole scheme', given: withPolicy('media-src http:'), fails: 1 },
    { name: 'https', given: withPolicy('img-src https: data:'), fails: 0 },
    { name: 'by default, which another check judges', given: withPolicy('default-src http://a.example'), fails: 0 },
    { name: 'a page on plain http', given: { ...withPolicy('img-src http:'), url: 'http://site.example/' }, fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
