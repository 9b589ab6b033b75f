import { definePassiveCheck } from '../../check.ts';
import { helloTo, versionLabel } from '../../evidence/tls/tls.ts';

export default definePassiveCheck({
  id: 'tls-fallback-scsv-absent',
  group: 'transport',
  severity: 'LOW',
  cwe: 757,
  title: 'The server does not notice a forced downgrade',
  why: 'A client that retries with an older version says so; a server that ignores it lets an attacker, by breaking the first try, choose the older one.',
  fix: 'Update the TLS library, and switch off the versions that nobody needs.',
  references: ['https://www.rfc-editor.org/rfc/rfc7507'],
  needs: ['tls'],

  *run({ tls }) {
    // TLS 1.3 notices by itself that somebody forced it down to 1.2.
    if (!tls?.speaks('tls11', 'tls10', 'ssl3')) return;
    const hello = helloTo(tls, 'fallback');
    if (hello) yield { evidence: `Said hello with ${versionLabel(hello.version)} instead of alert 86`, url: tls.url };
  },

  examples: [
    {
      name: 'a hello to a fallback',
      given: { tls: { tls11: { suite: 0xc013 }, fallback: { suite: 0xc02f } } },
      fails: 1,
    },
    { name: 'TLS 1.2 and 1.3 only', given: { tls: { fallback: { suite: 0xc02f } } }, fails: 0 },
    { name: 'one version only, where nothing is asked', given: { tls: { tls13: 'refused' } }, fails: 0 },
    {
      name: 'refused in another way',
      given: { tls: { tls11: { suite: 0xc013 }, fallback: 'refused' } },
      fails: 0,
    },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
