import type { Exchange } from '../http/exchange.ts';
import { isSame, toAnswer } from '../oracle/compare.ts';
import type { Baseline } from './baseline.ts';
import type { Inventory, InventoryItem } from './inventory.ts';

interface Finding {
  visit(url: string): Promise<Exchange>;
  inventory: Inventory;
  /** Only of what this visitor has met first. */
  seenAs: string | null;
  baseline: Baseline;
  /** That no path has. */
  word: string;
}

/** Two requests for each. */
const MOST_FOLDERS = 30;

/**
 * Names at the end of a path may be values: of a person to greet, of a file to print. They are where a name that nobody
 * has gets another answer than one that lies a level deeper.
 */
export async function findPathPoints({ visit, inventory, seenAs, baseline, word }: Finding): Promise<void> {
  const pages = inventory
    .items()
    .filter((item) => item.method === 'GET' && item.seenAs === seenAs && (item.effect ?? 'reads') === 'reads');
  for (const [folder, item] of [...foldersOf(pages)].slice(0, MOST_FOLDERS)) {
    const answer = await visit(`${folder}${word}`);
    const deeper = await visit(`${folder}${word}/${word}`);
    if (isRead(answer, deeper, word, baseline)) inventory.addParameter(item, lastSegmentOf(item));
  }
}

/** One page of each folder below the top; none where a value in the path is known. */
function foldersOf(pages: readonly InventoryItem[]): Map<string, InventoryItem> {
  const folders = new Map<string, InventoryItem>();
  const known = new Set<string>();
  for (const item of pages) {
    const { origin, pathname } = new URL(item.url);
    const folder = origin + pathname.slice(0, pathname.lastIndexOf('/') + 1);
    const { name, value } = lastSegmentOf(item);
    if (name === '0' || value === '') continue;
    if (item.parameters.some((each) => each.location === 'path' && each.name === name)) known.add(folder);
    if (!folders.has(folder)) folders.set(folder, item);
  }
  return new Map([...folders].filter(([folder]) => !known.has(folder)));
}

function lastSegmentOf({ url }: InventoryItem) {
  const segments = new URL(url).pathname.split('/').slice(1);
  return { location: 'path' as const, name: String(segments.length - 1), value: decode(segments.at(-1) ?? '') };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isRead(answer: Exchange, deeper: Exchange, word: string, baseline: Baseline): boolean {
  const noise = [`${word}/${word}`, word];
  const [one, other] = [toAnswer(answer, noise), toAnswer(deeper, noise)];
  if (!one || !other) return false;
  return !isSame(one, other) || (one.status < 400 && !baseline.isNothing(answer));
}
