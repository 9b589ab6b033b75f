import { definePassiveCheck } from '../../define-passive-check.ts';

const OBSOLETE = ['expect-ct', 'public-key-pins', 'public-key-pins-report-only'];

export default definePassiveCheck({
  id: 'expect-ct-hpkp-deprecated',
  group: 'headers',
  severity: 'INFO',
  cwe: 477,
  title: 'Obsolete Expect-CT or HPKP header',
  why: 'The site sends Expect-CT or Public-Key-Pins (HPKP), which current browsers ignore. In old browsers wrong pins lock visitors out until they expire, and an attacker who briefly controls the server can set such pins on purpose. The evidence shows the headers as sent.',
  fix: 'Remove the header. Use CAA records to restrict certificate issuers; browsers enforce Certificate Transparency on their own.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc9163',
    'https://www.rfc-editor.org/rfc/rfc7469',
    'https://cwe.mitre.org/data/definitions/477.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const sent = OBSOLETE.filter((name) => mainDocument.headers(name).length > 0);
    if (sent.length > 0) yield { evidence: mainDocument.headerLines(...sent) };
  },

  examples: [
    { name: 'Expect-CT', given: { headers: { 'expect-ct': 'max-age=86400, enforce' } }, fails: 1 },
    {
      name: 'HPKP and its report-only variant',
      given: { headers: { 'public-key-pins': 'max-age=60', 'Public-Key-Pins-Report-Only': 'max-age=60' } },
      fails: 1,
    },
    { name: 'neither', given: {}, fails: 0 },
  ],
});
