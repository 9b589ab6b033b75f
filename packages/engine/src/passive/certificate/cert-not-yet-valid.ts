import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';
import { daysAfter } from '../../evidence/tls/sample.ts';

const SKEW_MS = 5 * 60_000;

export default definePassiveCheck({
  id: 'cert-not-yet-valid',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 298,
  title: 'The certificate is not valid yet',
  why: 'Browsers refuse it until then, as they refuse an expired one.',
  fix: 'Wait for its day before using it, or get one that is valid now; check the clock of the server that asked for it.',
  references: ['https://www.rfc-editor.org/rfc/rfc5280'],
  needs: ['https'],

  *run({ https }) {
    if (!https || Date.parse(https.gatheredAt) + SKEW_MS >= Date.parse(https.certificate.validFrom)) return;
    yield {
      evidence: `${https.certificate.subject} is valid from ${https.certificate.validFrom}`,
      url: httpsUrl(https),
    };
  },

  examples: [
    { name: 'from tomorrow', given: { https: { certificate: { validFrom: daysAfter(1) } } }, fails: 1 },
    {
      name: 'in four minutes, as clocks differ',
      given: { https: { certificate: { validFrom: daysAfter(4 / 1_440) } } },
      fails: 0,
    },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
