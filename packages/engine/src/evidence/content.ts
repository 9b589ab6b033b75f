import { type Missing, thoseThere } from './missing.ts';
import type { MainPage } from './page/main-page.ts';
import { pageOf } from './page/page-of.ts';
import { inlineScripts } from './page/page-texts.ts';
import { type ApiSurface, gatherApiSurfaces } from './probes/api-surfaces.ts';
import type { ProbeSender } from './probes/ask.ts';
import { keyOf, type Probe } from './probes/files.ts';
import { gatherSourceMaps, type SourceMap } from './probes/source-maps.ts';
import { gatherScripts, type Scripts } from './probes/sub-resources.ts';

/** First-party scripts of a page, and the source maps and API surfaces that they lead to. */
export interface Content {
  scripts: Scripts;
  sourceMaps: readonly (SourceMap | Missing)[];
  apiSurfaces: readonly (ApiSurface | Missing)[];
}

/** Request limit of one scan. */
export const MOST_REQUESTS = 120;
/**
 * Up to 4 CORS requests, 2 methods, 2 missing paths, 3 directories, 1 second request for the page, 1 MTA-STS policy.
 */
const ASKED_BESIDES = 13;
/** The rest is for source maps and API surfaces. */
const SHARE_OF_SCRIPTS = 2 / 3;

/** Uses only requests that the other collectors leave: a scan without requests left could not continue with TLS. */
export async function gatherContent(
  sender: ProbeSender,
  mainPage: MainPage,
  probes: readonly Probe[],
  /** Number of requests made to follow redirects. */
  followed: number,
): Promise<Content> {
  let left = MOST_REQUESTS - ASKED_BESIDES - followed - new Set(probes.map(keyOf)).size;
  const counted: ProbeSender = {
    ...sender,
    send(request) {
      left--;
      return sender.send(request);
    },
  };
  const scripts = await gatherScripts(counted, mainPage, Math.floor(left * SHARE_OF_SCRIPTS));
  const sourceMaps = await gatherSourceMaps(counted, scripts, left);
  const { origin } = new URL(mainPage.hops.at(-1)?.url ?? '');
  const texts = [...inlineScripts(pageOf(mainPage)), ...thoseThere(scripts).map(({ body }) => body)];
  const apiSurfaces = await gatherApiSurfaces(sender, origin, texts, { asked: probes, mostRequests: left });
  return { scripts, sourceMaps, apiSurfaces };
}
