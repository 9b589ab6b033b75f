import { hstsOf } from '../../../evidence/page/hsts.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const ONE_YEAR_SECONDS = 31_536_000;

const sent = (value: string) => ({ headers: { 'strict-transport-security': value } });

export default definePassiveCheck({
  id: 'hsts-preload-inconsistent',
  group: 'headers',
  severity: 'INFO',
  cwe: 319,
  title: 'HSTS preload requirements not met',
  why: 'The Strict-Transport-Security (HSTS) header contains preload, but the preload list accepts a domain only with a max-age of at least one year and includeSubDomains. Until then the first visit of every browser can start on HTTP, where an attacker on the network path can intercept it. The evidence shows the header as sent.',
  fix: 'Send Strict-Transport-Security: max-age=31536000; includeSubDomains; preload and submit the domain at hstspreload.org, or remove preload. Preloading is hard to undo, so make sure that every subdomain supports HTTPS.',
  references: [
    'https://hstspreload.org/#deployment-recommendations',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const hsts = hstsOf(mainDocument);
    if (hsts.state !== 'VALID' || !hsts.isPreload) return;
    const isEligible = hsts.maxAge >= ONE_YEAR_SECONDS && hsts.includesSubdomains;
    if (!isEligible) yield { evidence: mainDocument.headerLines('strict-transport-security') };
  },

  examples: [
    { name: 'max-age of 180 days', given: sent('max-age=15552000; includeSubDomains; preload'), fails: 1 },
    { name: 'no includeSubDomains', given: sent('max-age=31536000; preload'), fails: 1 },
    { name: 'all requirements met', given: sent('max-age=31536000; includeSubDomains; preload'), fails: 0 },
    { name: 'no preload directive', given: sent('max-age=60'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
