import type { Sender } from '../../http/exchange/sender.ts';
import type { DnsClient } from '../../target/dns/client.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { MainPage } from '../page/main-page.ts';
import { type Caa, gatherCaa } from './caa.ts';
import { type Dmarc, gatherDmarc } from './dmarc.ts';
import { type Dnssec, gatherDnssec } from './dnssec.ts';
import { gatherHostNames, type HostNames } from './host-names.ts';
import { createLookUps, type LookUps } from './look-ups.ts';
import { type Dkim, gatherDkim, gatherMail, gatherTlsReporting, type Mail, type TlsReporting } from './mail.ts';
import { gatherMtaSts, type MtaSts } from './mta-sts.ts';
import { namesOf, type SiteNames } from './names.ts';
import { gatherSpf, type Spf } from './spf.ts';
import { gatherTlsa, type Tlsa } from './tlsa.ts';
import { gatherNameServers, gatherWildcard, type NameServers, type Wildcard } from './zone.ts';

/** DNS evidence; a field is null if it does not apply to the site. */
export interface NamesEvidence {
  hostNames: HostNames | null;
  /** Null for a site without TLS. */
  tlsa: Tlsa | null;
  nameServers: NameServers | null;
  wildcard: Wildcard | null;
  caa: Caa | null;
  dnssec: Dnssec | null;
  mail: Mail | null;
  spf: Spf | null;
  dmarc: Dmarc | null;
  /** The last three are null for a domain without mail servers. */
  mtaSts: MtaSts | null;
  tlsReporting: TlsReporting | null;
  dkim: Dkim | null;
}

export type DnsArtifacts = { [Name in keyof NamesEvidence]: NamesEvidence[Name] | Missing };
type ZoneArtifacts = Omit<DnsArtifacts, 'hostNames' | 'tlsa'>;

const NO_QUERIES = 'No DNS queries were sent.';
const HTTPS_PORT = 443;

const ofZone = <Value>(value: Value) => ({
  nameServers: value,
  wildcard: value,
  caa: value,
  dnssec: value,
  mail: value,
  spf: value,
  dmarc: value,
  mtaSts: value,
  tlsReporting: value,
  dkim: value,
});
const all = <Value>(value: Value) => ({ hostNames: value, tlsa: value, ...ofZone(value) });

/** For a site without a DNS name. */
export const nowhere: DnsArtifacts = all(null);

type Tools = { sender: Pick<Sender, 'send'>; lookUps: LookUps };

/** Collects what depends on whether the domain accepts mail. */
async function gatherMailServers({ sender, lookUps }: Tools, domain: string) {
  const mail = await gatherMail(lookUps, domain);
  const without = isMissing(mail) ? mail : mail.exchanges.length === 0 ? null : undefined;
  if (without !== undefined) return { mail, mtaSts: without, tlsReporting: without, without };
  const [mtaSts, tlsReporting] = await Promise.all([
    gatherMtaSts(sender, lookUps, domain),
    gatherTlsReporting(lookUps, domain),
  ]);
  return { mail, mtaSts, tlsReporting, without };
}

async function gatherZone(tools: Tools, names: SiteNames, domain: string): Promise<ZoneArtifacts> {
  const { lookUps } = tools;
  const [nameServers, wildcard, caa, dnssec, spf, dmarc, { without, ...servers }] = await Promise.all([
    gatherNameServers(lookUps, domain),
    gatherWildcard(lookUps, domain),
    gatherCaa(lookUps, names, domain),
    gatherDnssec(lookUps, domain),
    gatherSpf(lookUps, domain),
    gatherDmarc(lookUps, domain),
    gatherMailServers(tools, domain),
  ]);
  // DKIM comes last and uses the queries that are left.
  const dkim = without === undefined ? await gatherDkim(lookUps, domain) : without;
  return { nameServers, wildcard, caa, dnssec, spf, dmarc, ...servers, dkim };
}

/** Collects the DNS evidence for the host of the main page. Sends each query once. */
export async function gatherDns(
  sender: Pick<Sender, 'send'>,
  client: DnsClient | undefined,
  { hops }: Pick<MainPage, 'hops'>,
): Promise<DnsArtifacts> {
  const url = new URL(hops.at(-1)?.url ?? '');
  const names = namesOf(url);
  if (!names) return nowhere;
  if (!client) return all({ missing: NO_QUERIES });
  const lookUps = createLookUps(client);
  const isHttps = url.protocol === 'https:';
  const [hostNames, tlsa, zone] = await Promise.all([
    gatherHostNames(lookUps, names),
    isHttps ? gatherTlsa(lookUps, names.host, Number(url.port || HTTPS_PORT)) : null,
    names.domain === null ? ofZone(null) : gatherZone({ sender, lookUps }, names, names.domain),
  ]);
  return { hostNames, tlsa, ...zone };
}
