import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-early-data',
  group: 'transport',
  severity: 'INFO',
  cwe: 294,
  title: 'The server accepts early data',
  why: 'What is sent before the handshake is over can be sent again by anybody who saw it. That is harmless for pages, and not for requests that change something.',
  fix: 'Answer early requests that change something with 425 (Early Data header), or switch it off: ssl_early_data off; in nginx.',
  references: ['https://www.rfc-editor.org/rfc/rfc8470'],
  needs: ['session', 'tls'],

  *run({ session, tls }) {
    if (tls && session && session.maxEarlyData > 0) {
      yield { evidence: `The session ticket allows ${session.maxEarlyData} bytes of early data`, url: tls.url };
    }
  },

  examples: [
    { name: 'a ticket that allows it', given: { https: { maxEarlyData: 16_384 } }, fails: 1 },
    { name: 'a ticket that does not', given: {}, fails: 0 },
  ],
});
