import { definePassiveCheck } from '../../check.ts';

const ABANDONED = ['expect-ct', 'public-key-pins', 'public-key-pins-report-only'];

export default definePassiveCheck({
  id: 'expect-ct-hpkp-deprecated',
  group: 'headers',
  severity: 'INFO',
  cwe: 477,
  title: 'A header about certificates is sent that browsers have given up',
  why: 'Expect-CT and Public-Key-Pins have no effect in current browsers; in old ones wrong pins can lock visitors out for as long as they last.',
  fix: 'Remove the header. Who may issue certificates for the domain is said by CAA records, and browsers demand Certificate Transparency by themselves.',
  references: [
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Expect-CT',
    'https://www.rfc-editor.org/rfc/rfc7469',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const sent = ABANDONED.filter((name) => mainDocument.headers(name).length > 0);
    if (sent.length > 0) yield { evidence: mainDocument.headerLines(...sent) };
  },

  examples: [
    { name: 'Expect-CT', given: { headers: { 'expect-ct': 'max-age=86400, enforce' } }, fails: 1 },
    {
      name: 'pins, and reports about them',
      given: { headers: { 'public-key-pins': 'max-age=60', 'Public-Key-Pins-Report-Only': 'max-age=60' } },
      fails: 1,
    },
    { name: 'neither', given: {}, fails: 0 },
  ],
});
