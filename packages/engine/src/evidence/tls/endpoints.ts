import type { Sender } from '../../http/exchange/sender.ts';
import { StopSending } from '../../http/exchange/sender.ts';
import type { HostNames } from '../dns/host-names.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { MainPage } from '../page/main-page.ts';
import { isFor, readCertificate } from './certificate.ts';
import { writeHello } from './client-hello.ts';
import { versionHellos } from './hellos.ts';
import type { ServerAnswer } from './server-messages.ts';
import { ANSWER_MS, exchangeHello } from './tls-probes.ts';

/** Response of one address to a TLS 1.2 ClientHello. */
export interface Endpoint {
  address: string;
  /** Null if it refused. */
  version: number | null;
  /** Null if it sent none. */
  certificate: { isForHost: boolean; isInTime: boolean; isSelfSigned: boolean } | null;
}

const MAX_ADDRESSES = 3;
const HTTPS_PORT = 443;

/** Picks addresses of both families if available. */
function chosen({ ipv4, ipv6 }: HostNames['site']): string[] {
  const [four, six] = [ipv4.slice(0, MAX_ADDRESSES), ipv6.slice(0, MAX_ADDRESSES)];
  return [...four.slice(0, 1), ...six.slice(0, 1), ...four.slice(1), ...six.slice(1)].slice(0, MAX_ADDRESSES);
}

function judgeCertificate(der: string | undefined, host: string): Endpoint['certificate'] {
  if (der === undefined) return null;
  try {
    const { validFrom, validTo, isSelfSigned } = readCertificate(Buffer.from(der, 'base64'));
    const now = new Date().toISOString();
    return { isForHost: isFor({ der }, host), isInTime: validFrom <= now && now <= validTo, isSelfSigned };
  } catch {
    // Not a certificate.
    return null;
  }
}

/** Keeps only explicit responses: a closed or silent connection can have causes on our side. */
function toEndpoint(address: string, host: string, answer: ServerAnswer): Endpoint[] {
  if (answer.outcome === 'ALERT') return [{ address, version: null, certificate: null }];
  if (answer.outcome !== 'HELLO') return [];
  return [{ address, version: answer.version, certificate: judgeCertificate(answer.certificates[0], host) }];
}

/** Sends one ClientHello to each of a few addresses. Resolves to null if there is nothing to compare. */
export async function gatherEndpoints(
  sender: Pick<Sender, 'openSocket'>,
  { hops }: Pick<MainPage, 'hops'>,
  hostNames: HostNames | Missing | null,
): Promise<readonly Endpoint[] | Missing | null> {
  if (hostNames === null || isMissing(hostNames)) return hostNames;
  const url = new URL(hops.at(-1)?.url ?? '');
  const { host } = hostNames.site;
  const addresses = chosen(hostNames.site);
  if (url.protocol !== 'https:' || addresses.length < 2) return null;
  const port = Number(url.port || HTTPS_PORT);
  const hello = writeHello(versionHellos.tls12, host);
  try {
    const answers = await Promise.all(
      addresses.map(async (address) => {
        const use = await sender.openSocket({ host: address, port, purpose: 'look' }, (judged) =>
          exchangeHello(judged, hello, ANSWER_MS),
        );
        return use.failure ? [] : toEndpoint(address, host, use.value);
      }),
    );
    return answers.flat();
  } catch (error) {
    if (!(error instanceof StopSending)) throw error;
    return { missing: error.message };
  }
}
