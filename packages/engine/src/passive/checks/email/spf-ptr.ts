import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'spf-ptr',
  group: 'email',
  severity: 'LOW',
  cwe: 290,
  title: 'SPF record uses the deprecated ptr mechanism',
  why: 'The SPF record authorizes senders by reverse DNS (ptr). The owner of an IP address controls its PTR record, and the extra lookups are slow, so RFC 7208 says not to use ptr and many receivers skip it. Legitimate mail can fail SPF, and an attacker in a network whose reverse names are below your domain passes it. The evidence quotes the record.',
  fix: 'Replace ptr with ip4, ip6 or a mechanisms for your mail servers. Keep the record below ten DNS lookups.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-5.5', 'https://cwe.mitre.org/data/definitions/290.html'],
  needs: ['spf'],

  *run({ spf }) {
    if (spf?.usesPtr) yield { evidence: spf.records.join('\n') };
  },

  examples: [
    { name: 'ptr', given: { dns: { spf: { records: ['v=spf1 ptr -all'], usesPtr: true } } }, fails: 1 },
    { name: 'mx', given: {}, fails: 0 },
    { name: 'target without a hostname', given: { dns: null }, fails: 0 },
  ],
});
