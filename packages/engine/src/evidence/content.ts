import { type Missing, thoseThere } from './missing.ts';
import type { MainPage } from './page/main-page.ts';
import { pageOf } from './page/page-of.ts';
import { inlineScripts } from './page/spoken.ts';
import { type ApiSurface, gatherApiSurfaces } from './probes/api-surfaces.ts';
import type { Asking } from './probes/ask.ts';
import { keyOf, type Probe } from './probes/files.ts';
import { gatherSourceMaps, type SourceMap } from './probes/source-maps.ts';
import { gatherScripts, type Scripts } from './probes/sub-resources.ts';

/** What a page brings along, and what that leads to. */
export interface Content {
  scripts: Scripts;
  sourceMaps: readonly (SourceMap | Missing)[];
  apiSurfaces: readonly (ApiSurface | Missing)[];
}

/** Of one scan. */
export const MOST_REQUESTS = 120;
/** Other origins 4, methods 2, where there is nothing 2, folders 3, the page once more 1, the policy of mail 1. */
const ASKED_BESIDES = 13;
/** The rest is for what the scripts lead to. */
const SHARE_OF_SCRIPTS = 2 / 3;

/** Takes what the other questions leave: a scan that has used up its requests could not go on to TLS. */
export async function gatherContent(
  sender: Asking,
  mainPage: MainPage,
  probes: readonly Probe[],
  /** How many requests were made to follow redirects. */
  followed: number,
): Promise<Content> {
  let left = MOST_REQUESTS - ASKED_BESIDES - followed - new Set(probes.map(keyOf)).size;
  const counted: Asking = {
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
