import { getDomain } from 'tldts';
import { definePassiveCheck } from '../../check.ts';
import { hstsOf, isPreloaded } from '../../evidence/hsts.ts';

const at = (url: string, value = 'max-age=31536000') => ({ url, headers: { 'strict-transport-security': value } });

export default definePassiveCheck({
  id: 'hsts-subdomains-uncovered',
  group: 'headers',
  severity: 'INFO',
  cwe: 319,
  title: 'Subdomains may still be visited by plain http',
  why: 'Without includeSubDomains somebody on the way can invent a subdomain, answer for it on plain http, and from there set cookies for the whole domain.',
  fix: 'Add includeSubDomains to Strict-Transport-Security as soon as every subdomain speaks https. Where one must stay on plain http, this can be left as it is.',
  references: ['https://www.rfc-editor.org/rfc/rfc6797#section-6.1.2'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const { hostname } = mainDocument.url;
    const hsts = hstsOf(mainDocument);
    if (hsts.state !== 'VALID' || hsts.maxAge === 0 || hsts.includesSubdomains || isPreloaded(hostname)) return;
    const isApex = getDomain(hostname, { allowPrivateDomains: true }) === hostname;
    if (isApex) yield { evidence: mainDocument.headerLines('strict-transport-security') };
  },

  examples: [
    { name: 'the domain itself', given: at('https://site.example/'), fails: 1 },
    { name: 'with them', given: at('https://site.example/', 'max-age=31536000; includeSubDomains'), fails: 0 },
    { name: 'a subdomain speaks for itself only', given: at('https://www.site.example/'), fails: 0 },
    { name: 'a name without a domain', given: at('https://localhost/'), fails: 0 },
    { name: 'switched off, which another check judges', given: at('https://site.example/', 'max-age=0'), fails: 0 },
    { name: 'not sent, which another check judges', given: {}, fails: 0 },
  ],
});
