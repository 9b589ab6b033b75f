import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';
import { daysAfter } from '../../evidence/tls/sample.ts';

const DAY_MS = 86_400_000;
/** Days allowed to certificates issued since then. */
const limits = [
  ['2029-03-15', 47],
  ['2027-03-15', 100],
  ['2026-03-15', 200],
  ['2020-09-01', 398],
] as const;

export default definePassiveCheck({
  id: 'cert-lifetime-over-limit',
  group: 'certificate',
  severity: 'LOW',
  cwe: 295,
  title: 'The certificate lives longer than browsers allow',
  why: 'The longer a certificate lives, the longer a stolen key is of use. Browsers refuse those that are over the limit of their day.',
  fix: 'Get one that lives 90 days or less, and renew it automatically.',
  references: [
    'https://cabforum.org/2025/04/11/ballot-sc081v3-introduce-schedule-of-reducing-validity-and-data-reuse-periods/',
  ],
  needs: ['https'],

  *run({ https }) {
    // The limits bind public authorities only.
    if (!https || https.untrusted !== null) return;
    const { validFrom, validTo } = https.certificate;
    const days = (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;
    const [, limit = 0] = limits.find(([from]) => Date.parse(validFrom) >= Date.parse(from)) ?? [];
    if (limit > 0 && days > limit)
      yield {
        evidence: `${Math.floor(days)} days, from ${validFrom} to ${validTo}; ${limit} are allowed`,
        url: httpsUrl(https),
      };
  },

  examples: [
    {
      name: 'two years',
      given: { https: { certificate: { validFrom: daysAfter(-10), validTo: daysAfter(720) } } },
      fails: 1,
    },
    {
      name: '398 days before the limits became smaller',
      given: { https: { certificate: { validFrom: daysAfter(-10), validTo: daysAfter(388) } } },
      fails: 0,
    },
    {
      name: '300 days after 15 March 2026',
      given: { https: { certificate: { validFrom: daysAfter(100), validTo: daysAfter(400) } } },
      fails: 1,
    },
    {
      name: '200 days after 15 March 2026',
      given: { https: { certificate: { validFrom: daysAfter(100), validTo: daysAfter(300) } } },
      fails: 0,
    },
    {
      name: 'a private authority',
      given: { https: { untrusted: 'SELF_SIGNED_CERT_IN_CHAIN', certificate: { validTo: daysAfter(3_000) } } },
      fails: 0,
    },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
