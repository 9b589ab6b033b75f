import type { Exchange } from '../../http/exchange/exchange.ts';
import { resolveUrl } from './read-page.ts';

const MOST_SITEMAPS = 5;
const MOST_PAGES = 300;
const MOST_CHARACTERS = 2_000_000;

/** Returns the sitemaps that a robots.txt names. */
export function sitemapsIn(robots: string, targetUrl: string): string[] {
  const named = [...robots.matchAll(/^[ \t]{0,9}sitemap[ \t]{0,9}:[ \t]{0,9}(\S{1,1000})/gim)];
  return named.flatMap(([, value = '']) => resolveUrl(value, targetUrl) ?? []).slice(0, MOST_SITEMAPS);
}

/** Resolves to the pages that sitemaps list, including those of sitemap indexes. */
export async function readSitemaps(
  urls: readonly string[],
  visit: (url: string) => Promise<Exchange>,
  isCovered: (url: string) => boolean,
): Promise<string[]> {
  const waiting = [...urls];
  const pages = new Set<string>();
  for (let asked = 0; asked < MOST_SITEMAPS && waiting.length > 0; asked++) {
    const url = waiting.shift() ?? '';
    const { response } = await visit(url);
    const text = response?.status === 200 ? response.body.toString().slice(0, MOST_CHARACTERS) : '';
    const listed = locationsIn(text, url).filter(isCovered);
    if (/<sitemapindex[\s>]/i.test(text)) waiting.push(...listed.slice(0, MOST_SITEMAPS));
    else for (const page of listed) if (pages.size < MOST_PAGES) pages.add(page);
  }
  return [...pages];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function locationsIn(xml: string, url: string): string[] {
  const found = [...xml.matchAll(/<loc>\s{0,99}([^<\s]{1,1000})\s{0,99}<\/loc>/gi)];
  return found.flatMap(
    ([, text = '']) =>
      resolveUrl(
        text.replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole),
        url,
      ) ?? [],
  );
}
