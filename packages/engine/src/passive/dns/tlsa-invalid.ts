import { definePassiveCheck } from '../../check.ts';
import { fits, type TlsaRecord } from '../../evidence/dns/tlsa.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

const certificate = { der: Buffer.from('leaf').toString('base64') };
const issuers = [{ der: Buffer.from('issuer').toString('base64') }];
const record = (usage: number, text: string, matchingType = 0): TlsaRecord => ({
  usage,
  selector: 0,
  matchingType,
  data: Buffer.from(text).toString('hex'),
});

export default definePassiveCheck({
  id: 'tlsa-invalid',
  group: 'dns',
  severity: 'MEDIUM',
  cwe: 295,
  title: 'No TLSA record fits the certificate',
  why: 'Whoever heeds the records takes the site for forged and does not connect.',
  fix: 'Publish the record of a new certificate before it is used, or remove the records.',
  references: ['https://www.rfc-editor.org/rfc/rfc7671'],
  needs: ['tlsa', 'https'],

  *run({ tlsa, https }) {
    if (!tlsa?.isAuthentic || !https || tlsa.name !== `_${https.port}._tcp.${https.host}`) return;
    const known = tlsa.records.map((one) => fits(one, https.chain));
    if (known.length === 0 || known.some((isFitting) => isFitting !== false)) return;
    const shown = tlsa.records.map(
      (one) => `${one.usage} ${one.selector} ${one.matchingType} ${one.data.slice(0, 32)}`,
    );
    yield { evidence: [`TLSA ${tlsa.name}`, ...shown].join('\n'), url: httpsUrl(https) };
  },

  examples: [
    {
      name: 'the record of another certificate',
      given: { dns: { tlsa: { records: [record(3, 'other')] } }, https: { certificate, issuers } },
      fails: 1,
    },
    {
      name: 'the record of an authority for the site itself',
      given: { dns: { tlsa: { records: [record(3, 'issuer'), record(2, 'leaf')] } }, https: { certificate, issuers } },
      fails: 1,
    },
    {
      name: 'one of two that fits',
      given: { dns: { tlsa: { records: [record(3, 'next'), record(3, 'leaf')] } }, https: { certificate, issuers } },
      fails: 0,
    },
    {
      name: 'an authority that is sent along',
      given: { dns: { tlsa: { records: [record(2, 'issuer')] } }, https: { certificate, issuers } },
      fails: 0,
    },
    {
      name: 'a root, which is not sent, and forms that nobody knows',
      given: {
        dns: { tlsa: { records: [record(0, 'root'), record(3, 'x', 9)] } },
        https: { certificate, issuers },
      },
      fails: 0,
    },
    {
      name: 'a zone without signatures',
      given: { dns: { tlsa: { isAuthentic: false, records: [record(3, 'x')] } }, https: { certificate, issuers } },
      fails: 0,
    },
    { name: 'no records', given: {}, fails: 0 },
  ],
});
