import { effectOf } from '../effect/judge.ts';
import type { InventoryItem } from '../inventory/inventory.ts';
import { roundRobin } from '../inventory/round-robin.ts';
import type { Technology } from '../readers/technologies.ts';
import { COMMON, OF_API, PLACES_OF } from './unlinked-words.ts';

type Known = Pick<InventoryItem, 'method' | 'url' | 'contentType'>;

interface Places {
  targetUrl: string;
  /** Requests found so far. */
  known: readonly Known[];
  technologies: ReadonlySet<Technology>;
  /** Whether to look into folders that were seen in paths only: some servers list them. */
  hasFolders?: boolean;
}

const NAME = /^[a-z][\w-]{2,30}$/i;
const SCRIPT = /\.(?:php\d?|phtml|jspx?|jsf|do|action|aspx?|ashx|cgi|pl|cfm|html?)$/i;
const API_FOLDER = /\/(?:api|rest|v\d+)\/$/i;
/** Suffixes of earlier versions that are still executed; backup copies have a check of their own. */
const OLDER = ['_old', '2', '.old'] as const;
const MOST_FOLDERS = 3;
const MOST_NAMES = 12;
const MOST_OLDER = 4;
const MOST_PARENTS = 16;

/**
 * Returns URLs that nothing links to but that may exist, the most promising first: places of the detected platforms,
 * names that the target uses elsewhere, usual names, and earlier versions of its scripts.
 */
export function unlinkedPlaces({ targetUrl, known, technologies, hasFolders = false }: Places): string[] {
  const { origin } = new URL(targetUrl);
  const own = known.map(({ url }) => url.replace(/[?#].*$/s, '')).filter((url) => url.startsWith(`${origin}/`));
  const base = folderOf(targetUrl.replace(/[?#].*$/s, ''));
  const folders = foldersBySize(own);
  const extension = extensionOf(own);
  const platform = [...technologies].map((each) => PLACES_OF[each].map((place) => base + place));
  const api = folders.filter((each) => API_FOLDER.test(each)).slice(0, MOST_FOLDERS);
  const bases = [...new Set([base, `${origin}/`])];
  const lists = [
    hasFolders ? parentsOf(own) : [],
    roundRobin(platform),
    [...namesIn(own, extension, [...new Set([...bases, ...folders])].slice(0, MOST_FOLDERS))],
    COMMON.flatMap((name) => [base + name, ...(extension === undefined ? [] : [base + name + extension])]),
    roundRobin(api.map((folder) => OF_API.map((name) => folder + name))),
    olderOf(own),
  ];
  const met = new Set(own.map(withoutSlash));
  return [...new Set(roundRobin(lists))].filter(
    (url) => !met.has(withoutSlash(url)) && effectOf({ method: 'GET', url }) === 'reads',
  );
}

const withoutSlash = (url: string) => url.replace(/\/$/, '').toLowerCase();
const folderOf = (url: string) => url.slice(0, url.lastIndexOf('/') + 1);

/** Returns the folders above the known pages, the nearest to the root first. */
function parentsOf(urls: readonly string[]): string[] {
  const parents = new Set<string>();
  for (const url of urls) {
    const { origin, pathname } = new URL(url);
    const names = pathname.split('/').slice(1, -1);
    for (const [index] of names.entries()) parents.add(`${origin}/${names.slice(0, index + 1).join('/')}/`);
  }
  const depthOf = (url: string) => url.split('/').length;
  return [...parents].toSorted((a, b) => depthOf(a) - depthOf(b)).slice(0, MOST_PARENTS);
}

function foldersBySize(urls: readonly string[]): string[] {
  const sizes = new Map<string, number>();
  for (const url of urls) sizes.set(folderOf(url), (sizes.get(folderOf(url)) ?? 0) + 1);
  return [...sizes].toSorted(([, a], [, b]) => b - a).map(([folder]) => folder);
}

/** Returns the extension of most of the scripts, as in ".php"; undefined if there is none. */
function extensionOf(urls: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const url of urls) {
    const [ending] = SCRIPT.exec(url) ?? [];
    if (ending !== undefined) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** Returns the names of pages in one folder, for the others: /api/orders may exist beside /orders. */
function* namesIn(
  urls: readonly string[],
  extension: string | undefined,
  folders: readonly string[],
): Generator<string> {
  const names = urls
    .map((url) => url.slice(folderOf(url).length).replace(SCRIPT, ''))
    .filter((name) => NAME.test(name));
  for (const name of [...new Set(names)].slice(0, MOST_NAMES)) {
    for (const folder of folders) {
      const isOfScripts =
        extension !== undefined && urls.some((url) => folderOf(url) === folder && url.endsWith(extension));
      yield folder + name + (isOfScripts ? extension : '');
    }
  }
}

function olderOf(urls: readonly string[]): string[] {
  const scripts = [...new Set(urls.filter((url) => SCRIPT.test(url)))].slice(0, MOST_OLDER);
  return scripts.flatMap((url) => OLDER.map((ending) => url.replace(SCRIPT, (extension) => `${ending}${extension}`)));
}
