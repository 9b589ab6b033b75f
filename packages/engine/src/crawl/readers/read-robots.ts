import { resolveUrl } from './read-page.ts';

const LINE = /^\s*(allow|disallow|sitemap)\s*:\s*(\S+)/i;
const MOST_PLACES = 100;
const MOST_CHARACTERS = 1_000;

/**
 * Returns the paths that a robots.txt names. Rules for search engines do not keep the owner from having them tested.
 */
export function readRobots(text: string, targetUrl: string): string[] {
  const places = text.split('\n').flatMap((line) => {
    const [, kind = '', value = ''] = LINE.exec(line) ?? [];
    // Patterns are no paths.
    if (kind === '' || /^sitemap$/i.test(kind) || /[*$]/.test(value)) return [];
    const url = resolveUrl(value, targetUrl);
    return url === undefined || url.length > MOST_CHARACTERS ? [] : [url];
  });
  return [...new Set(places)].slice(0, MOST_PLACES);
}
