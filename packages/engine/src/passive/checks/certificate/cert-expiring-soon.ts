import { httpsUrl } from '../../../evidence/tls/https.ts';
import { daysAfter } from '../../../evidence/tls/sample.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const DAY_MS = 86_400_000;

export default definePassiveCheck({
  id: 'cert-expiring-soon',
  group: 'certificate',
  severity: 'LOW',
  cwe: 298,
  title: 'TLS certificate expires soon',
  why: 'The certificate expires within 14 days, or within the last third of a lifetime shorter than 45 days. After that browsers block the site with a warning and API clients refuse to connect. A certificate this close to expiry usually means that automatic renewal has failed.',
  fix: 'Renew the certificate now and reload the server. Check the log of the ACME client, which normally renews with a third of the lifetime left, and monitor the expiry date.',
  references: [
    'https://letsencrypt.org/docs/',
    'https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5',
    'https://cwe.mitre.org/data/definitions/298.html',
  ],
  needs: ['https'],

  *run({ https }) {
    if (!https) return;
    const { validFrom, validTo, subject } = https.certificate;
    const left = (Date.parse(validTo) - Date.parse(https.gatheredAt)) / DAY_MS;
    const lifetime = (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;
    // Short-lived certificates are renewed in their last third.
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
      name: 'expired, judged by another check',
      given: { https: { certificate: { validTo: daysAfter(-1) } } },
      fails: 0,
    },
    { name: 'valid certificate', given: {}, fails: 0 },
  ],
});
