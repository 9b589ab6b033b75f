import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'dns-caa-missing',
  group: 'dns',
  severity: 'LOW',
  cwe: 295,
  title: 'CAA record missing',
  why: 'No CAA record restricts which certificate authorities may issue certificates for this domain, so every publicly trusted CA may. An attacker who tricks or compromises any one of them obtains a valid certificate and can impersonate the site. We queried CAA for the hostname and each parent domain.',
  fix: 'Publish a CAA record for each CA you use, such as: 0 issue "letsencrypt.org". Add 0 iodef "mailto:security@your-domain" to be told of refused requests.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc8659',
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
  needs: ['caa'],

  *run({ caa }) {
    if (caa?.foundAt === null) yield { evidence: `No CAA record for ${caa.host} or its parent domains` };
  },

  examples: [
    { name: 'no record', given: { dns: { caa: { foundAt: null, records: [] } } }, fails: 1 },
    { name: 'record at the parent domain', given: { dns: { caa: { host: 'www.site.example' } } }, fails: 0 },
    { name: 'target without a hostname', given: { dns: null }, fails: 0 },
  ],
});
