import { headerValues } from '../../http/exchange/headers.ts';
import { isMissing, type Missing, thoseThere } from '../missing.ts';
import { siteOf } from '../page/main-page.ts';
import type { ProbeSender } from './ask.ts';
import { type LoadedText, loadTexts } from './load-texts.ts';
import type { Scripts } from './sub-resources.ts';

/** A source map, which reveals the original source of a built script. */
export interface SourceMap {
  /** URL of the map, or of the script that embeds it. */
  url: string;
  /** Names of the first source files. */
  sources: readonly string[];
  /** Whether it embeds the source files themselves. */
  hasContent: boolean;
}

const MOST_MAPS = 8;
const LIMITS = { bytes: 2_000_000, allBytes: 6_000_000 };
const MOST_SOURCES = 200;
const MOST_NAME = 300;
/** The reference is at the end of a script. */
const END_CHARACTERS = 2_000;
const COMMENT = /\/[/*][#@]\s?sourceMappingURL=([^\s'"*]{1,1900})/g;
const INLINE = /\/[/*][#@]\s?sourceMappingURL=data:application\/json[^,\s]{0,60};base64,([A-Za-z0-9+/=]+)/;
const CUT: Missing = { missing: 'A source map exceeds the size limit.' };

/** Loads only maps that first-party scripts reference, and recognises them by content instead of by name. */
export async function gatherSourceMaps(
  sender: ProbeSender,
  scripts: Scripts,
  mostRequests: number,
): Promise<readonly (SourceMap | Missing)[]> {
  const loadedScripts = thoseThere(scripts);
  const inline = loadedScripts.flatMap(({ url, body }) => readMap(url, decode(INLINE.exec(body)?.[1])));
  const urls = [...new Set(loadedScripts.flatMap(mapUrls))];
  const most = Math.max(0, Math.min(MOST_MAPS, mostRequests));
  const loaded = await loadTexts(sender, urls.slice(0, most), LIMITS);
  const maps = [...inline, ...loaded.flatMap(toMap)].slice(0, MOST_MAPS);
  if (urls.length <= most) return maps;
  return [...maps, { missing: `The scripts reference ${urls.length} source maps; the scan read ${most} of them.` }];
}

function mapUrls({ url, headers, body }: LoadedText): string[] {
  const named = [...body.slice(-END_CHARACTERS).matchAll(COMMENT)].map(([, link]) => link).slice(-1);
  const links = [...headerValues(headers, 'sourcemap'), ...headerValues(headers, 'x-sourcemap'), ...named];
  return links.flatMap((link = '') => {
    const target = URL.parse(link.trim(), url);
    const isOwn =
      target && /^https?:$/.test(target.protocol) && !target.username && siteOf(target.href) === siteOf(url);
    return isOwn ? [target.origin + target.pathname + target.search] : [];
  });
}

function toMap(loaded: LoadedText | Missing): (SourceMap | Missing)[] {
  if (isMissing(loaded)) return [loaded];
  if (loaded.status !== 200) return [];
  if (!loaded.isCut) return readMap(loaded.url, loaded.body);
  return /^\s*[{)]/.test(loaded.body) ? [CUT] : [];
}

const decode = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString('latin1');

/** Removes an optional prefix line that keeps the JSON from being loaded as a script. */
function readMap(url: string, text: string): SourceMap[] {
  const { version, sources, sourcesContent } = parseObject(text.replace(/^\)\]\}'?[^\n]{0,20}\n/, ''));
  if (version !== 3 || !Array.isArray(sources)) return [];
  const names = sources.filter((name) => typeof name === 'string').map((name) => name.slice(0, MOST_NAME));
  const hasContent = Array.isArray(sourcesContent) && sourcesContent.some((one) => typeof one === 'string');
  return names.length > 0 ? [{ url, sources: names.slice(0, MOST_SOURCES), hasContent }] : [];
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
