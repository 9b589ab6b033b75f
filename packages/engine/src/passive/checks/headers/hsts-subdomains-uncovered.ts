import { getDomain } from 'tldts';
import { hstsOf, isPreloaded } from '../../../evidence/page/hsts.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const at = (url: string, value = 'max-age=31536000') => ({ url, headers: { 'strict-transport-security': value } });

export default definePassiveCheck({
  id: 'hsts-subdomains-uncovered',
  group: 'headers',
  severity: 'INFO',
  cwe: 319,
  title: 'HSTS without includeSubDomains',
  why: 'The Strict-Transport-Security (HSTS) header of the apex domain does not cover subdomains. An attacker on the network path can invent a subdomain, answer for it over HTTP and set cookies for the whole domain from there (cookie tossing). The evidence shows the header as sent.',
  fix: 'Add includeSubDomains once every subdomain supports HTTPS. If one has to stay on HTTP, accept this finding.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc6797#section-6.1.2',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const { hostname } = mainDocument.url;
    const hsts = hstsOf(mainDocument);
    if (hsts.state !== 'VALID' || hsts.maxAge === 0 || hsts.includesSubdomains || isPreloaded(hostname)) return;
    const isApex = getDomain(hostname, { allowPrivateDomains: true }) === hostname;
    if (isApex) yield { evidence: mainDocument.headerLines('strict-transport-security') };
  },

  examples: [
    { name: 'apex domain', given: at('https://site.example/'), fails: 1 },
    { name: 'includeSubDomains', given: at('https://site.example/', 'max-age=31536000; includeSubDomains'), fails: 0 },
    { name: 'subdomain', given: at('https://www.site.example/'), fails: 0 },
    { name: 'hostname without a registrable domain', given: at('https://localhost/'), fails: 0 },
    { name: 'max-age=0 (hsts-max-age-short)', given: at('https://site.example/', 'max-age=0'), fails: 0 },
    { name: 'not sent (hsts-missing)', given: {}, fails: 0 },
  ],
});
