import type { Sender } from '../../http/exchange/sender.ts';
import { StopSending } from '../../http/exchange/sender.ts';
import type { Missing } from '../missing.ts';
import type { MainPage } from '../page/main-page.ts';
import { gatherHandshakes, type Https, toHttps } from './https.ts';
import { gatherTlsProbes, supportedVersions, type TlsEndpoint, type TlsProbes } from './tls-probes.ts';

/** Both null for an HTTP site on a custom port, where no TLS is expected. */
export interface TlsArtifacts {
  tlsProbes: TlsProbes | Missing | null;
  https: Https | Missing | null;
}

const HTTPS_PORT = 443;

/** Returns where TLS is expected: for an HTTP site on the default port that is port 443. */
function placeOf(url: URL): TlsEndpoint | undefined {
  if (url.protocol === 'https:') return { host: url.hostname, port: Number(url.port || HTTPS_PORT) };
  return url.port === '' ? { host: url.hostname, port: HTTPS_PORT } : undefined;
}

const missing = (reason: string): TlsArtifacts => ({
  tlsProbes: { missing: reason },
  https: { missing: reason },
});

/** Returns the certificates from the newest version that shows them. */
const sentCertificates = ({ answers }: TlsProbes) =>
  (['tls12', 'tls11', 'tls10', 'ssl3'] as const)
    .map((name) => answers[name]?.certificates ?? [])
    .find((sent) => sent.length > 0) ?? [];

async function gather(
  sender: Pick<Sender, 'openSocket' | 'send'>,
  url: URL,
  place: TlsEndpoint,
): Promise<TlsArtifacts> {
  const isHttps = url.protocol === 'https:';
  // A site that served a page completes handshakes, so this need not wait for the probes.
  const [early, tlsProbes] = await Promise.all([
    isHttps ? gatherHandshakes(sender, place) : null,
    gatherTlsProbes(sender, place),
  ]);
  if ('failure' in tlsProbes) {
    // A refused connection means there is no TLS. Without any response, a firewall may only block us.
    const isClosed = !isHttps && tlsProbes.failure.code === 'UNREACHABLE';
    return isClosed ? { tlsProbes: { ...place, answers: {} }, https: null } : missing(tlsProbes.failure.message);
  }
  const answers = Object.values(tlsProbes.answers);
  const isUnheard =
    answers.every(({ outcome }) => outcome === 'SILENT') ||
    (isHttps && supportedVersions(tlsProbes.answers).length === 0);
  if (isUnheard) return missing(`${place.host}:${place.port} did not respond to any TLS ClientHello.`);
  if (supportedVersions(tlsProbes.answers).length === 0) return { tlsProbes, https: null };
  const handshakes = early ?? (await gatherHandshakes(sender, place));
  const https = await toHttps(sender, place, handshakes, sentCertificates(tlsProbes));
  return { tlsProbes, https: 'failure' in https ? { missing: https.failure } : https };
}

/** Collects the TLS evidence for the host of the main page. */
export async function gatherTls(
  sender: Pick<Sender, 'openSocket' | 'send'>,
  { hops }: Pick<MainPage, 'hops'>,
): Promise<TlsArtifacts> {
  const url = new URL(hops.at(-1)?.url ?? '');
  const place = placeOf(url);
  if (!place) return { tlsProbes: null, https: null };
  try {
    return await gather(sender, url, place);
  } catch (error) {
    if (!(error instanceof StopSending)) throw error;
    return missing(error.message);
  }
}
