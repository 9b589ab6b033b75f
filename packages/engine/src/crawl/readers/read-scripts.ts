import type { Exchange } from '../../http/exchange/exchange.ts';
import { isRecord } from '../inventory/example-value.ts';
import { isDocumentationLibrary } from './descriptions/documentation-page.ts';
import type { Discovery, ReferencedUrls } from './discovery.ts';
import type { PageScript } from './read-page.ts';
import { resolveUrl } from './read-page.ts';

interface ScriptReader {
  /** Resolves to the URLs that the scripts of a page name. */
  read(scripts: readonly PageScript[], pageUrl: string): Promise<string[]>;
}

interface ScriptReaderOptions {
  visit(url: string): Promise<Exchange>;
  isCovered(url: string): boolean;
  discovery: Discovery;
  most: number;
}

/** Requests each script once, no matter how many pages use it. */
export function createScriptReader({ visit, isCovered, discovery, most }: ScriptReaderOptions): ScriptReader {
  const asked = new Set<string>();

  async function fetchText(url: string): Promise<string | undefined> {
    if (asked.has(url) || asked.size >= most || !isCovered(url) || isDocumentationLibrary(url)) return undefined;
    asked.add(url);
    const { response } = await visit(url);
    const isPage = response?.body.subarray(0, 100).toString().trimStart().startsWith('<');
    return response?.status === 200 && !isPage ? response.body.toString() : undefined;
  }

  async function readOne(url: string, pageUrl: string): Promise<ReferencedUrls> {
    const text = await fetchText(url);
    if (text === undefined) return { urls: [], imports: [] };
    const { urls, imports } = discovery.readScript(text, url, pageUrl);
    const map = mapUrlOf(text, url);
    const mapText = map?.startsWith('data:') ? dataOf(map) : map === undefined ? undefined : await fetchText(map);
    const ofSources = sourcesOf(mapText).flatMap((source) => discovery.readScript(source, url, pageUrl).urls);
    return { urls: [...urls, ...ofSources], imports };
  }

  return {
    async read(scripts, pageUrl) {
      const inline = discovery.readInline(scripts, pageUrl);
      const found = new Set(inline.urls);
      // Grows during iteration: imports are read after the script that names them.
      const waiting = new Set([...scripts.flatMap(({ url }) => url ?? []), ...inline.imports]);
      for (const url of waiting) {
        const { urls, imports } = await readOne(url, pageUrl);
        for (const each of urls) found.add(each);
        for (const each of imports) waiting.add(each);
      }
      return [...found];
    },
  };
}

function mapUrlOf(text: string, scriptUrl: string): string | undefined {
  const [, reference] = /\/[/*][#@]\s{0,9}sourceMappingURL=([^\s'"*]+)/.exec(text.slice(-100_000)) ?? [];
  if (reference === undefined) return undefined;
  return reference.startsWith('data:') ? reference : resolveUrl(reference, scriptUrl);
}

const dataOf = (url: string) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64').toString();
const MOST_SOURCES = 200;
const MOST_CHARACTERS = 2_000_000;

/** Returns the original sources of a bundle from its source map, without libraries. */
function sourcesOf(mapText: string | undefined): string[] {
  try {
    const map: unknown = JSON.parse(mapText ?? '');
    if (!isRecord(map) || !Array.isArray(map.sources) || !Array.isArray(map.sourcesContent)) return [];
    const { sources, sourcesContent } = map;
    const own = sourcesContent.filter(
      (_, index) => !/node_modules|webpack\/(?:runtime|bootstrap)/.test(String(sources[index])),
    );
    const texts = own.filter((each) => typeof each === 'string').slice(0, MOST_SOURCES);
    return texts.filter(({ length }) => length < MOST_CHARACTERS / MOST_SOURCES || texts.length < 10);
  } catch {
    return [];
  }
}
