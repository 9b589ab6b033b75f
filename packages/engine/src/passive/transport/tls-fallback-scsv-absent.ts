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
    const hello = tls && helloTo(tls, 'fallback');
    if (hello) yield { evidence: `Said hello with ${versionLabel(hello.version)} instead of alert 86`, url: tls.url };
  },

  examples: [
    { name: 'a hello to a fallback', given: { tls: { fallback: { suite: 0xc02f } } }, fails: 1 },
    { name: 'one version only, where nothing is asked', given: { tls: { tls13: 'refused' } }, fails: 0 },
    { name: 'refused in another way', given: { tls: { fallback: 'refused' } }, fails: 0 },
    { name: 'TLS 1.2 and 1.3 with good suites', given: {}, fails: 0 },
  ],
});
