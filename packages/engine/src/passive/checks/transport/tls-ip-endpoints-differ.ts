import type { Endpoint } from '../../../evidence/tls/endpoints.ts';
import { versionLabel } from '../../../evidence/tls/tls.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

function describeEndpoint({ version, certificate }: Endpoint): string {
  if (version === null) return 'refuses TLS 1.2';
  const faults = [
    ...(certificate && !certificate.isForHost ? ['for a different hostname'] : []),
    ...(certificate && !certificate.isInTime ? ['expired or not yet valid'] : []),
    ...(certificate?.isSelfSigned ? ['self-signed'] : []),
  ];
  const shown = certificate ? `certificate ${faults.join(' and ') || 'valid'}` : 'no certificate';
  return `${versionLabel(version)}, ${shown}`;
}

const expired = { isForHost: true, isInTime: false, isSelfSigned: false };

export default definePassiveCheck({
  id: 'tls-ip-endpoints-differ',
  group: 'transport',
  severity: 'LOW',
  cwe: 693,
  title: 'TLS configuration differs between IP addresses of the host',
  why: 'The IP addresses behind the hostname answer with different TLS versions or certificates. One server was probably not updated: some visitors reach it by chance, and an attacker on the network path can choose it as the weakest one. The evidence lists what each address answered.',
  fix: 'Deploy the same TLS configuration and a valid certificate to all servers, or remove the outdated one from DNS. Compare the servers with openssl s_client -connect <address>:443 -servername <hostname>.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://ssl-config.mozilla.org/',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['endpoints'],

  *run({ endpoints }) {
    const lines = (endpoints ?? []).map((one) => ({ address: one.address, described: describeEndpoint(one) }));
    if (new Set(lines.map(({ described }) => described)).size < 2) return;
    yield { evidence: lines.map(({ address, described }) => `${address}: ${described}`).join('\n') };
  },

  examples: [
    { name: 'old version at one address', given: { endpoints: [{}, { version: 0x0301 }] }, fails: 1 },
    { name: 'expired certificate at one address', given: { endpoints: [{}, { certificate: expired }] }, fails: 1 },
    { name: 'refusal at one address', given: { endpoints: [{}, {}, { version: null, certificate: null }] }, fails: 1 },
    { name: 'same answer everywhere', given: { endpoints: [{}, {}, {}] }, fails: 0 },
    {
      name: 'same invalid certificate everywhere',
      given: { endpoints: [{ certificate: expired }, { certificate: expired }] },
      fails: 0,
    },
    { name: 'one address answered', given: { endpoints: [{}] }, fails: 0 },
    { name: 'one address', given: {}, fails: 0 },
  ],
});
