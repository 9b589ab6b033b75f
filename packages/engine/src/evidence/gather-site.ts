import type { Exchange } from '../http/exchange/exchange.ts';
import type { Sender } from '../http/exchange/sender.ts';
import type { DnsClient } from '../target/dns/client.ts';
import { gatherContent } from './content.ts';
import { gatherDns } from './dns/gather-dns.ts';
import type { Artifacts } from './evidence.ts';
import type { GatheringFailure } from './gathering-failure.ts';
import { gatherMainPage, type MainPage } from './page/main-page.ts';
import { gatherCors } from './probes/cors.ts';
import { gatherDirectories } from './probes/directories.ts';
import { gatherFiles, type Probe } from './probes/files.ts';
import { gatherMethods } from './probes/methods.ts';
import { gatherNotFound } from './probes/not-found.ts';
import { gatherPlainHttp } from './probes/plain-http.ts';
import { gatherSecondResponse } from './probes/second-response.ts';
import { gatherEndpoints } from './tls/endpoints.ts';
import { gatherTls } from './tls/gather-tls.ts';
import { gatherTlsSite, type TlsSite } from './tls-site.ts';
import { unwatched, type Watch } from './watch.ts';

/** Excludes timeouts: the site may block our address only. */
const NO_HTTPS: ReadonlySet<GatheringFailure['code']> = new Set(['TARGET_UNREACHABLE', 'TLS_FAILED']);

export type SiteSender = Pick<Sender, 'follow' | 'send' | 'openSocket' | 'sharesConnection'>;

interface Gathering {
  watch?: Watch | undefined;
  /** Without a client, DNS evidence is missing. */
  dns?: DnsClient | undefined;
}

/**
 * Loads the main page first, because everything else depends on it, then runs the other collectors in parallel. TLS
 * comes last, as unusual ClientHellos can get us blocked. It runs in parallel only if all requests share one
 * connection, because most of them are sent before the first hello gets a response.
 */
export async function gatherSite(
  sender: SiteSender,
  url: string,
  probes: readonly Probe[],
  { watch = unwatched, dns }: Gathering = {},
): Promise<Artifacts | TlsSite | GatheringFailure> {
  const follower = countFollowed(sender);
  const mainPage = await watch('main page', gatherSomePage(follower, url));
  if ('code' in mainPage) return (await gatherTlsSite(sender, url, follower.ends(), watch)) ?? mainPage;
  const page = mainPage.hops.at(-1)?.url ?? url;
  const { origin } = new URL(page);
  const lookAtTls = () => watch('TLS', gatherTls(sender, mainPage));
  const early = sender.sharesConnection(origin) ? lookAtTls() : undefined;
  const plain = watch('HTTP', gatherPlainHttp(follower, mainPage));
  const [plainHttp, cors, methods, directories, names, secondLook, content, { notFound, files }] = await Promise.all([
    plain,
    watch('CORS', gatherCors(sender, page)),
    watch('methods', gatherMethods(sender, page)),
    watch('directories', gatherDirectories(sender, mainPage)),
    watch('DNS', gatherDns(sender, dns, mainPage)),
    gatherSecondResponse(sender, mainPage),
    watch(
      'content',
      plain.then(() => gatherContent(sender, mainPage, probes, follower.followed())),
    ),
    gatherNotFound(sender, origin).then(async (notFound) => ({
      notFound,
      files: await watch('files', gatherFiles(sender, origin, probes, notFound)),
    })),
    early,
  ]);
  const tls = await (early ?? lookAtTls());
  const endpoints = await gatherEndpoints(sender, mainPage, names.hostNames);
  const seen = { mainPage, plainHttp, cors, methods, directories, secondLook, notFound, files };
  return { ...seen, ...names, ...content, ...tls, endpoints };
}

/** Counts the requests of redirect chains and keeps their last exchanges. */
function countFollowed(sender: Pick<Sender, 'follow'>) {
  let followed = 0;
  const ends: Exchange[] = [];
  return {
    async follow(...asked: Parameters<Sender['follow']>) {
      const exchanges = await sender.follow(...asked);
      followed += exchanges.length;
      ends.push(...exchanges.slice(-1));
      return exchanges;
    },
    followed: () => followed,
    ends: () => ends,
  };
}

/** Falls back to HTTP if HTTPS is unavailable, as browsers do: the site is then judged by that page. */
async function gatherSomePage(sender: Pick<Sender, 'follow'>, url: string): Promise<MainPage | GatheringFailure> {
  const asked = await gatherMainPage(sender, url);
  if (!('code' in asked) || !NO_HTTPS.has(asked.code) || !/^https:/i.test(url) || new URL(url).port !== '')
    return asked;
  const plain = await gatherMainPage(sender, url.replace(/^https:/i, 'http:'));
  return 'code' in plain ? asked : plain;
}
