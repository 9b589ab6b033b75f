import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'cert-www-coverage',
  group: 'certificate',
  severity: 'LOW',
  cwe: 297,
  title: 'TLS certificate does not cover the www or bare host name',
  why: 'The host name with www, or the one without, resolves to the same server but is not covered by the certificate. Browsers block users who enter that name with a warning. Users who click through it cannot detect a man-in-the-middle attack.',
  fix: 'Add both forms to the subject alternative names (SAN) of the certificate. A redirect alone does not help, because the TLS handshake comes first.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html#use-correct-domain-names',
    'https://www.rfc-editor.org/rfc/rfc9525',
    'https://cwe.mitre.org/data/definitions/297.html',
  ],
  needs: ['session'],

  *run({ session }) {
    const other = session?.counterpart;
    if (session?.isForHost && other && !other.isCovered)
      yield {
        evidence: `${other.host} resolves to the same address, but the certificate does not cover it`,
        url: httpsUrl(session),
      };
  },

  examples: [
    {
      name: 'not covered',
      given: { https: { counterpart: { host: 'www.site.example', isCovered: false } } },
      fails: 1,
    },
    { name: 'covered', given: { https: { counterpart: { host: 'www.site.example', isCovered: true } } }, fails: 0 },
    { name: 'counterpart with another address or none', given: { https: { counterpart: null } }, fails: 0 },
    {
      name: 'neither covered, judged by another check',
      given: { https: { isForHost: false, counterpart: { host: 'www.site.example', isCovered: false } } },
      fails: 0,
    },
  ],
});
