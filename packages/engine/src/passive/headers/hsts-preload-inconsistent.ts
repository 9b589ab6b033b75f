import { definePassiveCheck } from '../../check.ts';
import { hstsOf } from '../../evidence/hsts.ts';

const ONE_YEAR_SECONDS = 31_536_000;

const sent = (value: string) => ({ headers: { 'strict-transport-security': value } });

export default definePassiveCheck({
  id: 'hsts-preload-inconsistent',
  group: 'headers',
  severity: 'INFO',
  cwe: 319,
  title: 'The site asks to be preloaded, but cannot be',
  why: 'The list of sites that browsers know as https only takes a name only with a max-age of a year or more and with includeSubDomains. As it is sent, preload does nothing.',
  fix: 'Send Strict-Transport-Security: max-age=31536000; includeSubDomains; preload and submit the domain, or leave preload out.',
  references: ['https://hstspreload.org/#deployment-recommendations'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const hsts = hstsOf(mainDocument);
    if (hsts.state !== 'VALID' || !hsts.isPreload) return;
    const isEligible = hsts.maxAge >= ONE_YEAR_SECONDS && hsts.includesSubdomains;
    if (!isEligible) yield { evidence: mainDocument.headerLines('strict-transport-security') };
  },

  examples: [
    { name: 'half a year', given: sent('max-age=15552000; includeSubDomains; preload'), fails: 1 },
    { name: 'without subdomains', given: sent('max-age=31536000; preload'), fails: 1 },
    { name: 'all that is asked for', given: sent('max-age=31536000; includeSubDomains; preload'), fails: 0 },
    { name: 'not asked for', given: sent('max-age=60'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
