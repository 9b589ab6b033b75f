import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-early-data',
  group: 'transport',
  severity: 'INFO',
  cwe: 294,
  title: 'TLS 1.3 early data (0-RTT) enabled: replay risk',
  why: 'The server accepts TLS 1.3 early data (0-RTT). An attacker who records such a request can replay it, which is harmless for pages but repeats requests that change state, such as an order. The evidence shows how much early data the session ticket allows.',
  fix: 'Reject early requests that change state with 425 Too Early (based on the Early-Data header), or disable it: ssl_early_data off; in nginx. Allow it for idempotent requests (GET, HEAD) only.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc8470',
    'https://www.rfc-editor.org/rfc/rfc8446#section-8',
    'https://cwe.mitre.org/data/definitions/294.html',
  ],
  needs: ['session', 'tls'],

  *run({ session, tls }) {
    if (tls && session && session.maxEarlyData > 0) {
      yield { evidence: `The session ticket allows ${session.maxEarlyData} bytes of early data`, url: tls.url };
    }
  },

  examples: [
    { name: 'session ticket with early data', given: { https: { maxEarlyData: 16_384 } }, fails: 1 },
    { name: 'session ticket without early data', given: {}, fails: 0 },
  ],
});
