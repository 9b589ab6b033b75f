import type { Sender } from '../../http/exchange/sender.ts';
import { isBlocked } from '../blocked.ts';
import { isMissing, type Missing } from '../missing.ts';
import type { MainPage } from '../page/main-page.ts';
import { ask, BLOCKED, type ProbeAnswer } from './ask.ts';

const MOST_DIRECTORIES = 3;
const LINK = /\b(?:src|href)=["']?([^"'\s<>]{1,500})/gi;

/** Requests the directories of linked files, as a visitor would who removes the file name from a URL. */
export async function gatherDirectories(
  sender: Pick<Sender, 'send'>,
  mainPage: MainPage,
): Promise<readonly ProbeAnswer[] | Missing> {
  const answers = await Promise.all(directoriesOf(mainPage).map((url) => ask(sender, { method: 'GET', url })));
  const missing = answers.find(isMissing);
  if (missing) return missing;
  const found = answers as ProbeAnswer[];
  return found.some(isBlocked) ? { missing: BLOCKED } : found;
}

/** Returns the directories of the first linked files on the same origin. */
function directoriesOf({ hops, body }: MainPage): string[] {
  const page = hops.at(-1)?.url;
  const directories = new Set<string>();
  for (const [, link = ''] of body.matchAll(LINK)) {
    const url = URL.parse(link, page);
    const isOwn = url !== null && page !== undefined && url.origin === new URL(page).origin && url.username === '';
    const path = url?.pathname.slice(0, url.pathname.lastIndexOf('/') + 1) ?? '/';
    if (isOwn && path !== '/') directories.add(url.origin + path);
    if (directories.size === MOST_DIRECTORIES) break;
  }
  return [...directories];
}
