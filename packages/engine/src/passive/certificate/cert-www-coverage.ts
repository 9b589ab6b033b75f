import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-www-coverage',
  group: 'certificate',
  severity: 'LOW',
  cwe: 297,
  title: 'The name with or without www has no valid certificate',
  why: 'Visitors who type the other form of the name reach the same server and are stopped by a warning.',
  fix: 'Add the other form to the alternative names of the certificate; redirecting alone does not help, as the handshake comes first.',
  references: ['https://www.rfc-editor.org/rfc/rfc9525'],
  needs: ['session'],

  *run({ session }) {
    const other = session?.counterpart;
    if (session?.isForHost && other && !other.isCovered)
      yield {
        evidence: `${other.host} leads to the same address, and its certificate does not name it`,
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
    { name: 'another form that leads nowhere or elsewhere', given: { https: { counterpart: null } }, fails: 0 },
    {
      name: 'a certificate that fits neither, which is another finding',
      given: { https: { isForHost: false, counterpart: { host: 'www.site.example', isCovered: false } } },
      fails: 0,
    },
  ],
});
