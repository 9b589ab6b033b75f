import type { Sender } from '../http/sender.ts';
import { gatherCors } from './cors.ts';
import { gatherDirectories } from './directories.ts';
import type { Artifacts } from './evidence.ts';
import { gatherFiles, type Probe } from './files.ts';
import type { GatheringFailure } from './gathering-failure.ts';
import { gatherMainPage } from './main-page.ts';
import { gatherMethods } from './methods.ts';
import { gatherNotFound } from './not-found.ts';
import { gatherPlainHttp } from './plain-http.ts';

/** The main page first, as everything else is about it; then everything at once, each question once. */
export async function gatherSite(
  sender: Pick<Sender, 'follow' | 'send'>,
  url: string,
  probes: readonly Probe[],
): Promise<Artifacts | GatheringFailure> {
  const mainPage = await gatherMainPage(sender, url);
  if ('code' in mainPage) return mainPage;
  const page = mainPage.hops.at(-1)?.url ?? url;
  const { origin } = new URL(page);
  const [plainHttp, cors, methods, directories, { notFound, files }] = await Promise.all([
    gatherPlainHttp(sender, url, mainPage),
    gatherCors(sender, page),
    gatherMethods(sender, page),
    gatherDirectories(sender, mainPage),
    gatherNotFound(sender, origin).then(async (notFound) => ({
      notFound,
      files: await gatherFiles(sender, origin, probes, notFound),
    })),
  ]);
  return { mainPage, plainHttp, cors, methods, directories, notFound, files };
}
