import { type DnsArtifacts, type NamesEvidence, nowhere } from './gather-dns.ts';
import type { NamedHost } from './host-names.ts';

/** Short form of DNS evidence: a compliant zone with these deviations. Null if it does not apply. */
export type GivenDns = {
  [Name in Exclude<keyof NamesEvidence, 'hostNames'>]?: Partial<NonNullable<NamesEvidence[Name]>> | null;
} & {
  hostNames?: { site?: Partial<NamedHost>; counterpart?: Partial<NamedHost> };
};

const DOMAIN = 'site.example';

const good = {
  tlsa: { name: `_443._tcp.${DOMAIN}`, isAuthentic: true, records: [] },
  nameServers: {
    domain: DOMAIN,
    names: ['ns1.names.example', 'ns2.names.example'],
    networks: ['192.0.2.0/24', '198.51.100.0/24'],
  },
  wildcard: { name: `0123456789abcdef.${DOMAIN}`, isThere: false },
  caa: { host: DOMAIN, foundAt: DOMAIN, records: [{ flags: 0, tag: 'issue', value: 'issuer.example' }] },
  dnssec: { domain: DOMAIN, state: 'SECURE', hasDs: true, hasKeys: true },
  mail: { domain: DOMAIN, exchanges: ['mx.site.example'], isNone: false },
  spf: {
    domain: DOMAIN,
    records: ['v=spf1 mx -all'],
    all: '-',
    lookUps: 1,
    voids: 0,
    usesPtr: false,
    isWhole: true,
  },
  dmarc: { domain: DOMAIN, foundAt: DOMAIN, records: ['v=DMARC1; p=reject'], receivers: [] },
  mtaSts: {
    domain: DOMAIN,
    records: ['v=STSv1; id=1'],
    policy: { mode: 'enforce', mx: ['mx.site.example'], maxAge: 604_800 },
  },
  tlsReporting: { name: `_smtp._tls.${DOMAIN}`, records: ['v=TLSRPTv1; rua=mailto:tls@site.example'] },
  dkim: {
    domain: DOMAIN,
    selectors: ['default'],
    keys: [{ selector: 'default', record: 'v=DKIM1; k=ed25519; p=AA==' }],
  },
} as const satisfies Omit<NamesEvidence, 'hostNames'>;

const host = (name: string, given: Partial<NamedHost> = {}): NamedHost => ({
  host: name,
  aliases: [],
  isDangling: false,
  ipv4: ['198.51.100.10'],
  ipv6: ['2001:db8::10'],
  ...given,
});

/** Returns the DNS evidence of such a zone, for examples. */
export function toDnsArtifacts(given: GivenDns | null = {}): DnsArtifacts {
  if (given === null) return nowhere;
  const { hostNames, ...others } = given;
  const told = Object.entries(others).map(([name, value]) => [
    name,
    value === null ? null : { ...good[name as keyof typeof good], ...value },
  ]);
  return {
    ...good,
    hostNames: {
      domain: DOMAIN,
      site: host(DOMAIN, hostNames?.site),
      counterpart: host(`www.${DOMAIN}`, { ipv6: [], ...hostNames?.counterpart }),
    },
    ...Object.fromEntries(told),
  };
}
