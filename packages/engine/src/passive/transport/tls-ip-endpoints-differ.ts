import { definePassiveCheck } from '../../check.ts';
import type { Endpoint } from '../../evidence/tls/endpoints.ts';
import { versionLabel } from '../../evidence/tls/tls.ts';

function describeEndpoint({ version, certificate }: Endpoint): string {
  if (version === null) return 'refuses TLS 1.2';
  const faults = [
    ...(certificate && !certificate.isForHost ? ['for another name'] : []),
    ...(certificate && !certificate.isInTime ? ['out of time'] : []),
    ...(certificate?.isSelfSigned ? ['self-signed'] : []),
  ];
  const shown = certificate ? `a certificate that is ${faults.join(' and ') || 'as it should be'}` : 'no certificate';
  return `${versionLabel(version)}, ${shown}`;
}

const expired = { isForHost: true, isInTime: false, isSelfSigned: false };

export default definePassiveCheck({
  id: 'tls-ip-endpoints-differ',
  group: 'transport',
  severity: 'LOW',
  cwe: 693,
  title: 'The addresses of the site answer differently',
  why: 'One of the machines was left behind: it depends on chance whether a visitor meets the good one, and no check of the other finds the fault.',
  fix: 'Give all machines behind the name the same settings and a valid certificate, or take the old one out of the zone.',
  references: ['https://ssl-config.mozilla.org/'],
  needs: ['endpoints'],

  *run({ endpoints }) {
    const lines = (endpoints ?? []).map((one) => ({ address: one.address, said: describeEndpoint(one) }));
    if (new Set(lines.map(({ said }) => said)).size < 2) return;
    yield { evidence: lines.map(({ address, said }) => `${address}: ${said}`).join('\n') };
  },

  examples: [
    { name: 'an old version at one of them', given: { endpoints: [{}, { version: 0x0301 }] }, fails: 1 },
    { name: 'an expired certificate at one of them', given: { endpoints: [{}, { certificate: expired }] }, fails: 1 },
    { name: 'one that refuses', given: { endpoints: [{}, {}, { version: null, certificate: null }] }, fails: 1 },
    { name: 'all the same', given: { endpoints: [{}, {}, {}] }, fails: 0 },
    {
      name: 'all the same, and none good',
      given: { endpoints: [{ certificate: expired }, { certificate: expired }] },
      fails: 0,
    },
    { name: 'only one that answered', given: { endpoints: [{}] }, fails: 0 },
    { name: 'nothing to compare', given: {}, fails: 0 },
  ],
});
