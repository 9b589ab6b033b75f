import { tokenOf } from '../../../evidence/page/structured.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const opener = 'unsafe-none same-origin same-origin-allow-popups noopener-allow-popups'.split(' ');
const embedder = 'unsafe-none require-corp credentialless'.split(' ');
const resource = 'same-origin same-site cross-origin'.split(' ');

/** Browsers parse COOP and COEP as structured fields and compare CORP as a plain string. */
const headers = [
  { name: 'cross-origin-opener-policy', words: opener, read: tokenOf },
  { name: 'cross-origin-opener-policy-report-only', words: opener, read: tokenOf },
  { name: 'cross-origin-embedder-policy', words: embedder, read: tokenOf },
  { name: 'cross-origin-embedder-policy-report-only', words: embedder, read: tokenOf },
  { name: 'cross-origin-resource-policy', words: resource, read: (values: readonly string[]) => values.join(', ') },
];

const opens = (value: string) => ({ headers: { 'cross-origin-opener-policy': value } });
const embeds = (value: string) => ({ headers: { 'cross-origin-embedder-policy': value } });
const serves = (...values: string[]) => ({ headers: { 'cross-origin-resource-policy': values } });

export default definePassiveCheck({
  id: 'coop-coep-corp-invalid',
  group: 'headers',
  severity: 'LOW',
  cwe: 693,
  title: 'COOP, COEP or CORP header invalid',
  why: 'A cross-origin isolation header (Cross-Origin-Opener-Policy, Cross-Origin-Embedder-Policy or Cross-Origin-Resource-Policy) has an unknown value, is quoted or is sent twice. Browsers ignore it, so a page of an attacker keeps the window reference or the embedding that the header was meant to block (XS-Leaks). The evidence shows the header as sent.',
  fix: 'Send the header once with an unquoted valid value: same-origin for Cross-Origin-Opener-Policy and Cross-Origin-Resource-Policy, require-corp for Cross-Origin-Embedder-Policy. If both the application and a proxy add it, remove one of them.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies',
    'https://html.spec.whatwg.org/multipage/browsers.html#coep',
    'https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    for (const { name, words, read } of headers) {
      const values = mainDocument.headers(name);
      if (values.length === 0 || words.includes(read(values) ?? '')) continue;
      yield { evidence: mainDocument.headerLines(name) };
    }
  },

  examples: [
    { name: 'unknown value', given: opens('sameorigin'), fails: 1 },
    { name: 'quoted value', given: opens('"same-origin"'), fails: 1 },
    { name: 'empty', given: opens(''), fails: 1 },
    { name: 'value of another header', given: embeds('same-origin'), fails: 1 },
    { name: 'uppercase value', given: serves('SAME-ORIGIN'), fails: 1 },
    { name: 'sent twice', given: serves('same-origin', 'same-origin'), fails: 1 },
    {
      name: 'two invalid headers',
      given: { headers: { ...opens('yes').headers, 'cross-origin-resource-policy': 'no' } },
      fails: 2,
    },
    { name: 'report-to parameter', given: opens('same-origin; report-to="coop"'), fails: 0 },
    { name: 'noopener-allow-popups', given: opens('noopener-allow-popups'), fails: 0 },
    { name: 'credentialless', given: embeds('credentialless'), fails: 0 },
    { name: 'same-site', given: serves('same-site'), fails: 0 },
    { name: 'no header', given: {}, fails: 0 },
  ],
});
