import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'spf-ptr',
  group: 'email',
  severity: 'LOW',
  cwe: 290,
  title: 'The SPF record relies on the names of addresses',
  why: 'Whoever owns an address says what it is called; the look-up is slow, and many receivers leave the ptr term out.',
  fix: 'Replace ptr by the networks or the names of your mail servers.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-5.5'],
  needs: ['spf'],

  *run({ spf }) {
    if (spf?.usesPtr) yield { evidence: spf.records.join('\n') };
  },

  examples: [
    { name: 'ptr', given: { dns: { spf: { records: ['v=spf1 ptr -all'], usesPtr: true } } }, fails: 1 },
    { name: 'mx', given: {}, fails: 0 },
    { name: 'a site without a name', given: { dns: null }, fails: 0 },
  ],
});
