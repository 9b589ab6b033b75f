import { definePassiveCheck } from '../../check.ts';
import { tokenOf } from '../../evidence/structured.ts';

const opener = 'unsafe-none same-origin same-origin-allow-popups noopener-allow-popups'.split(' ');
const embedder = 'unsafe-none require-corp credentialless'.split(' ');
const resource = 'same-origin same-site cross-origin'.split(' ');

/** As browsers read them: the first four are structured fields, the last one is compared as a whole. */
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
  title: 'Browsers do not understand a header that should isolate this site',
  why: 'A Cross-Origin policy with an unknown word, in quotes or sent twice is ignored, so the isolation that was meant is not there.',
  fix: 'Send the header once and with one of its words, without quotes: same-origin for Cross-Origin-Opener-Policy and Cross-Origin-Resource-Policy, require-corp for Cross-Origin-Embedder-Policy.',
  references: [
    'https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies',
    'https://html.spec.whatwg.org/multipage/browsers.html#coep',
    'https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header',
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
    { name: 'an unknown word', given: opens('sameorigin'), fails: 1 },
    { name: 'in quotes', given: opens('"same-origin"'), fails: 1 },
    { name: 'empty', given: opens(''), fails: 1 },
    { name: 'the word of another header', given: embeds('same-origin'), fails: 1 },
    { name: 'in capital letters', given: serves('SAME-ORIGIN'), fails: 1 },
    { name: 'sent twice', given: serves('same-origin', 'same-origin'), fails: 1 },
    {
      name: 'two of them',
      given: { headers: { ...opens('yes').headers, 'cross-origin-resource-policy': 'no' } },
      fails: 2,
    },
    { name: 'with a place for reports', given: opens('same-origin; report-to="coop"'), fails: 0 },
    { name: 'a newer word', given: opens('noopener-allow-popups'), fails: 0 },
    { name: 'credentialless', given: embeds('credentialless'), fails: 0 },
    { name: 'same-site', given: serves('same-site'), fails: 0 },
    { name: 'none of them', given: {}, fails: 0 },
  ],
});
