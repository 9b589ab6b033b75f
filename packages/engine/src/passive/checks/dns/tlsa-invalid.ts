import { fits, type TlsaRecord } from '../../../evidence/dns/tlsa.ts';
import { httpsUrl } from '../../../evidence/tls/https.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

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
  title: 'DANE: TLSA record does not match the certificate',
  why: 'The domain publishes DNSSEC-signed TLSA records (DANE), and none of them matches the certificate chain that the server sends. Clients that validate DANE treat the connection as an attack and refuse it. A mismatch also hides a real interception, because operators learn to ignore the error. The evidence lists the published records.',
  fix: 'Publish the TLSA record of a new certificate at least one TTL before deploying it and remove the old one afterwards, or delete the TLSA records. Records of type 3 1 1 stay valid across renewals if the key is reused.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc7671',
    'https://www.rfc-editor.org/rfc/rfc6698',
    'https://cwe.mitre.org/data/definitions/295.html',
  ],
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
      name: 'record of a different certificate',
      given: { dns: { tlsa: { records: [record(3, 'other')] } }, https: { certificate, issuers } },
      fails: 1,
    },
    {
      name: 'usage and position in the chain swapped',
      given: { dns: { tlsa: { records: [record(3, 'issuer'), record(2, 'leaf')] } }, https: { certificate, issuers } },
      fails: 1,
    },
    {
      name: 'one of two records matches',
      given: { dns: { tlsa: { records: [record(3, 'next'), record(3, 'leaf')] } }, https: { certificate, issuers } },
      fails: 0,
    },
    {
      name: 'record of a CA in the chain',
      given: { dns: { tlsa: { records: [record(2, 'issuer')] } }, https: { certificate, issuers } },
      fails: 0,
    },
    {
      name: 'root outside the chain, and unknown matching type',
      given: {
        dns: { tlsa: { records: [record(0, 'root'), record(3, 'x', 9)] } },
        https: { certificate, issuers },
      },
      fails: 0,
    },
    {
      name: 'unsigned zone',
      given: { dns: { tlsa: { isAuthentic: false, records: [record(3, 'x')] } }, https: { certificate, issuers } },
      fails: 0,
    },
    { name: 'no TLSA record', given: {}, fails: 0 },
  ],
});
