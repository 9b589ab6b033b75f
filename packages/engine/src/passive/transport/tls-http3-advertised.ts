import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'tls-http3-advertised',
  group: 'transport',
  severity: 'INFO',
  cwe: null,
  title: 'The site also answers over HTTP/3',
  why: 'This is no weakness. What was found here was looked at over TCP: rules of firewalls and proxies must hold for QUIC, UDP port 443, too.',
  fix: 'Make sure that limits, logs and firewalls cover HTTP/3 as they cover HTTP/2.',
  references: ['https://www.rfc-editor.org/rfc/rfc9114'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (mainDocument.headers('alt-svc').some((value) => /(?:^|,)\s*h3(?:-\d+)?=/.test(value))) {
      yield { evidence: mainDocument.headerLines('alt-svc') };
    }
  },

  examples: [
    { name: 'h3 in Alt-Svc', given: { headers: { 'alt-svc': 'h3=":443"; ma=86400' } }, fails: 1 },
    { name: 'HTTP/2 elsewhere', given: { headers: { 'alt-svc': 'h2="other.example:443"' } }, fails: 0 },
    { name: 'an order to forget', given: { headers: { 'alt-svc': 'clear' } }, fails: 0 },
  ],
});
