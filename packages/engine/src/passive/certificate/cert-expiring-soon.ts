import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';
import { daysAfter } from '../../evidence/tls/sample.ts';

const DAY_MS = 86_400_000;

export default definePassiveCheck({
  id: 'cert-expiring-soon',
  group: 'certificate',
  severity: 'LOW',
  cwe: 298,
  title: 'The certificate expires soon',
  why: 'When it does, browsers stop every visitor with a warning.',
  fix: 'Renew it now, and find out why that has not happened by itself: ACME clients renew when a third of the lifetime is left.',
  references: ['https://letsencrypt.org/docs/'],
  needs: ['https'],

  *run({ https }) {
    if (!https) return;
    const { validFrom, validTo, subject } = https.certificate;
    const left = (Date.parse(validTo) - Date.parse(https.gatheredAt)) / DAY_MS;
    const lifetime = (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;
    // What lives for days or weeks is renewed in time if it is renewed in its last third.
    const enough = lifetime < 45 ? lifetime / 3 : 14;
    if (left < 0 || left >= enough) return;
    yield {
      evidence: `${subject} is valid until ${validTo}`,
      url: httpsUrl(https),
      severity: left < 3 ? 'MEDIUM' : 'LOW',
    };
  },

  examples: [
    {
      name: 'ten days left of ninety',
      given: { https: { certificate: { validFrom: daysAfter(-80), validTo: daysAfter(10) } } },
      fails: 1,
    },
    {
      name: 'two days left of ninety',
      given: { https: { certificate: { validFrom: daysAfter(-88), validTo: daysAfter(2) } } },
      fails: 1,
      severity: 'MEDIUM',
    },
    {
      name: 'four days left of a six-day certificate',
      given: { https: { certificate: { validFrom: daysAfter(-2), validTo: daysAfter(4) } } },
      fails: 0,
    },
    {
      name: 'ten days left of thirty',
      given: { https: { certificate: { validFrom: daysAfter(-20.5), validTo: daysAfter(9.5) } } },
      fails: 1,
    },
    {
      name: 'twenty days left of forty',
      given: { https: { certificate: { validFrom: daysAfter(-20), validTo: daysAfter(20) } } },
      fails: 0,
    },
    {
      name: 'expired, which is another finding',
      given: { https: { certificate: { validTo: daysAfter(-1) } } },
      fails: 0,
    },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
