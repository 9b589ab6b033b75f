import { httpsUrl } from '../../../evidence/tls/https.ts';
import { daysAfter } from '../../../evidence/tls/sample.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const DAY_MS = 86_400_000;
/** Maximum lifetime in days for certificates issued since that date. */
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
  title: 'TLS certificate lifetime exceeds the limit of browsers',
  why: 'The validity period of the certificate is longer than the CA/Browser Forum allows for its issue date. Browsers reject such certificates of public CAs. A long lifetime also extends the time during which an attacker can use a stolen key.',
  fix: 'Request a certificate with a lifetime of 90 days or less. Automate its renewal with an ACME client.',
  references: [
    'https://cabforum.org/2025/04/11/ballot-sc081v3-introduce-schedule-of-reducing-validity-and-data-reuse-periods/',
    'https://cabforum.org/working-groups/server/baseline-requirements/',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  needs: ['https'],

  *run({ https }) {
    // The limits apply to public CAs only.
    if (!https || https.untrusted !== null) return;
    const { validFrom, validTo } = https.certificate;
    const days = (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;
    const [, limit = 0] = limits.find(([from]) => Date.parse(validFrom) >= Date.parse(from)) ?? [];
    if (limit > 0 && days > limit)
      yield {
        evidence: `${Math.floor(days)} days, from ${validFrom} to ${validTo}; limit ${limit} days`,
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
      name: '398 days, issued before 15 March 2026',
      given: { https: { certificate: { validFrom: daysAfter(-10), validTo: daysAfter(388) } } },
      fails: 0,
    },
    {
      name: '300 days, issued after 15 March 2026',
      given: { https: { certificate: { validFrom: daysAfter(100), validTo: daysAfter(400) } } },
      fails: 1,
    },
    {
      name: '200 days, issued after 15 March 2026',
      given: { https: { certificate: { validFrom: daysAfter(100), validTo: daysAfter(300) } } },
      fails: 0,
    },
    {
      name: 'private CA',
      given: { https: { untrusted: 'SELF_SIGNED_CERT_IN_CHAIN', certificate: { validTo: daysAfter(3_000) } } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
