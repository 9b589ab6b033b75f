import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'tls-http3-advertised',
  group: 'transport',
  severity: 'INFO',
  cwe: null,
  title: 'HTTP/3 (QUIC) advertised',
  why: 'The site advertises HTTP/3 in the Alt-Svc header. This is not a vulnerability, but HTTP/3 runs over UDP port 443: an attacker can use it to get around firewall rules, rate limits and logging that cover TCP only. This scan used TCP. The evidence shows the Alt-Svc header.',
  fix: 'Make sure that rate limits, logs and firewalls cover HTTP/3 in the same way as HTTP/2. If you do not need it, disable QUIC and remove the Alt-Svc header.',
  references: ['https://www.rfc-editor.org/rfc/rfc9114', 'https://www.rfc-editor.org/rfc/rfc7838'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (mainDocument.headers('alt-svc').some((value) => /(?:^|,)\s*h3(?:-\d+)?=/.test(value))) {
      yield { evidence: mainDocument.headerLines('alt-svc') };
    }
  },

  examples: [
    { name: 'h3 in Alt-Svc', given: { headers: { 'alt-svc': 'h3=":443"; ma=86400' } }, fails: 1 },
    { name: 'HTTP/2 elsewhere', given: { headers: { 'alt-svc': 'h2="other.example:443"' } }, fails: 0 },
    { name: 'Alt-Svc: clear', given: { headers: { 'alt-svc': 'clear' } }, fails: 0 },
  ],
});
