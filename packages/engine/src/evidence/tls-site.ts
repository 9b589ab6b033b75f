import type { Exchange } from '../http/exchange/exchange.ts';
import type { Sender } from '../http/exchange/sender.ts';
import { isMissing } from './missing.ts';
import { siteOf } from './page/main-page.ts';
import { gatherTls, type TlsArtifacts } from './tls/gather-tls.ts';
import { spokenVersions } from './tls/tls-probes.ts';
import type { Watch } from './watch.ts';

/** A server that answers TLS hellos and serves no page: judged by its TLS alone. */
export interface TlsSite extends TlsArtifacts {
  /** Why everything else is missing. */
  noPage: string;
}

/** The words of nginx, which demands client certificates by an error page. */
const CLIENT_CERTIFICATE = /<title>400 (?:No required SSL certificate was sent|The SSL certificate error)<\/title>/;
const MAX_ERROR_PAGE = 1_000;

/** Why there is no page although the server may speak TLS; a timeout is none of these: the server may answer others. */
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
 * Asks with raw hellos, which need no common version or cipher suite. `ends` are the last exchanges of the attempts to get
 * the page; undefined when none of them ended at a server of this site that speaks TLS.
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
  if (tlsProbes === null || isMissing(tlsProbes) || spokenVersions(tlsProbes.answers).length === 0) return undefined;
  return { ...tls, noPage: `No page could be loaded, only TLS was judged. ${whyNoPage(end)}` };
}
