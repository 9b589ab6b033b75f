import type { Exchange } from '../http/exchange/exchange.ts';
import type { Sender } from '../http/exchange/sender.ts';
import { isMissing } from './missing.ts';
import { siteOf } from './page/main-page.ts';
import { gatherTls, type TlsArtifacts } from './tls/gather-tls.ts';
import { supportedVersions } from './tls/tls-probes.ts';
import type { Watch } from './watch.ts';

/** A server that responds to TLS hellos but serves no page, so only its TLS is judged. */
export interface TlsSite extends TlsArtifacts {
  /** Why all other evidence is missing. */
  noPage: string;
}

/** Error pages with which nginx demands a client certificate. */
const CLIENT_CERTIFICATE = /<title>400 (?:No required SSL certificate was sent|The SSL certificate error)<\/title>/;
const MAX_ERROR_PAGE = 1_000;

/**
 * Returns why there is no page although the server may support TLS. Excludes timeouts: the server may respond to other
 * clients.
 */
function whyNoPage({ request, response, failure, remote }: Exchange): string | undefined {
  if (!/^https:/i.test(request.url)) return undefined;
  if (response) {
    const isRefused =
      response.status === 400 && CLIENT_CERTIFICATE.test(response.body.toString('latin1', 0, MAX_ERROR_PAGE));
    return isRefused ? 'The server demands a client certificate.' : undefined;
  }
  const isSilent = remote !== null && (failure?.code === 'UNREACHABLE' || failure?.code === 'PROTOCOL');
  return failure?.code === 'TLS' || isSilent ? failure.message : undefined;
}

/**
 * Probes TLS with raw hellos, which need no common version or cipher suite. `ends` are the last exchanges of the
 * attempts to load the page. Resolves to undefined if none of them ended at a TLS server of this site.
 */
export async function gatherTlsSite(
  sender: Pick<Sender, 'openSocket' | 'send'>,
  url: string,
  ends: readonly Exchange[],
  watch: Watch,
): Promise<TlsSite | undefined> {
  const end = ends.find((one) => whyNoPage(one) !== undefined && siteOf(one.request.url) === siteOf(url));
  if (!end) return undefined;
  const tls = await watch('TLS', gatherTls(sender, { hops: [{ url: end.request.url, status: 0, headers: [] }] }));
  const { tlsProbes } = tls;
  if (tlsProbes === null || isMissing(tlsProbes) || supportedVersions(tlsProbes.answers).length === 0) return undefined;
  return { ...tls, noPage: `No page could be loaded, so only TLS was checked. ${whyNoPage(end)}` };
}
