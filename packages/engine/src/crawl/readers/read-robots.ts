import { resolveUrl } from './read-page.ts';

const LINE = /^\s*(allow|disallow|sitemap)\s*:\s*(\S+)/i;
const MOST_PLACES = 100;
const MOST_CHARACTERS = 1_000;

/** Paths that the site names itself. What robots may not index, its owner may well have tested. */
export function readRobots(text: string, targetUrl: string): string[] {
  const places = text.split('\n').flatMap((line) => {
    const [, kind = '', value = ''] = LINE.exec(line) ?? [];
    // A pattern is no path.
    if (kind === '' || /^sitemap$/i.test(kind) || /[*$]/.test(value)) return [];
    const url = resolveUrl(value, targetUrl);
    return url === undefined || url.length > MOST_CHARACTERS ? [] : [url];
  });
  return [...new Set(places)].slice(0, MOST_PLACES);
}
