import { headerValues } from '../../http/exchange/headers.ts';
import { isMissing, type Missing, thoseThere } from '../missing.ts';
import { loadsOf } from '../page/loads.ts';
import { type MainPage, siteOf } from '../page/main-page.ts';
import { pageOf } from '../page/page-of.ts';
import type { ProbeSender } from './ask.ts';
import { type LoadedText, loadTexts } from './load-texts.ts';

/** First-party scripts that a page loads, in order. Responses that are not scripts are left out. */
export type Scripts = readonly (LoadedText | Missing)[];

const MOST_SCRIPTS = 20;
const LIMITS = { bytes: 1_000_000, allBytes: 5_000_000 };

/**
 * Loads first-party scripts. Third-party scripts belong to other sites, and style sheets hold nothing the checks read.
 */
export async function gatherScripts(sender: ProbeSender, mainPage: MainPage, mostRequests: number): Promise<Scripts> {
  const urls = ownScripts(mainPage);
  const most = Math.max(0, Math.min(MOST_SCRIPTS, mostRequests));
  const loaded = await loadTexts(sender, urls.slice(0, most), LIMITS);
  const scripts = loaded.filter((script) => isMissing(script) || isScript(script));
  return [
    ...scripts,
    ...unread(urls.length, most),
    ...thoseThere(scripts)
      .filter(({ isCut }) => isCut)
      .slice(0, 1)
      .map(toCut),
  ];
}

const unread = (all: number, read: number): Missing[] =>
  all > read ? [{ missing: `The page has ${all} first-party scripts; the scan read ${read} of them.` }] : [];

const toCut = ({ url }: LoadedText): Missing => ({ missing: `${url} exceeds the size limit for scripts.` });

function ownScripts(mainPage: MainPage): string[] {
  const { url } = mainPage.hops.at(-1) ?? { url: '' };
  const own = loadsOf(pageOf(mainPage), new URL(url))
    .filter(
      ({ kind, url: script }) => kind === 'script' && siteOf(script.href) === siteOf(url) && script.username === '',
    )
    .map(({ url: { origin, pathname, search } }) => origin + pathname + search);
  return [...new Set(own)];
}

/** Single-page applications serve their HTML page for missing scripts as well. */
function isScript({ status, headers, body }: LoadedText): boolean {
  const type = headerValues(headers, 'content-type')[0] ?? '';
  return status >= 200 && status < 300 && !/html/i.test(type) && !/^\s*<(!doctype|html)/i.test(body);
}
