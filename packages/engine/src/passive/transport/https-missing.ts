import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'https-missing',
  group: 'transport',
  severity: 'CRITICAL',
  cwe: 319,
  title: 'The site does not speak https',
  why: 'Everything between the visitor and this site, passwords and sessions included, can be read and changed by anybody on the way.',
  fix: 'Get a certificate (free and automatic from an ACME authority such as Let’s Encrypt), serve the site at https, and redirect plain http to it.',
  references: ['https://letsencrypt.org/getting-started/', 'https://ssl-config.mozilla.org/'],
  needs: ['mainDocument', 'tls'],

  *run({ mainDocument, tls }) {
    if (!tls || mainDocument.url.protocol !== 'http:' || tls.spoken.length > 0) return;
    const outcomes = Object.values(tls.answers).map(({ outcome, alert }) =>
      alert === null ? outcome : `alert ${alert}`,
    );
    yield { evidence: `${tls.url}: ${[...new Set(outcomes)].join(', ') || 'the connection was refused'}` };
  },

  examples: [
    {
      name: 'a port that answers, but not with TLS',
      given: { url: 'http://site.example/', tls: { tls12: { outcome: 'GARBAGE', version: null }, tls13: 'refused' } },
      fails: 1,
    },
    { name: 'TLS next to plain http', given: { url: 'http://site.example/', tls: {} }, fails: 0 },
    { name: 'https', given: {}, fails: 0 },
    { name: 'a site on plain http at a port of its own', given: { url: 'http://site.example:8080/' }, fails: 0 },
  ],
});
