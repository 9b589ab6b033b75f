import type { Exchange } from '../http/exchange.ts';
import { isSame, toAnswer } from '../oracle/compare.ts';
import type { Baseline } from './baseline.ts';
import type { Inventory, InventoryItem } from './inventory.ts';
import { readAnswer } from './read-answer.ts';

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
  const withValues = foldersWithValues(inventory.items());
  const ask = once((folder) => visit(`${folder}${word}`));
  for (const [folder, item] of [...foldersOf(pages, withValues)].slice(0, MOST_FOLDERS)) {
    const answer = await ask(folder);
    const above = [...withValues].filter((each) => folder.startsWith(each));
    if (await someIs(above, async (each) => isBuiltAlike(await ask(each), answer))) continue;
    const deeper = await visit(`${folder}${word}/${word}`);
    if (!isRead(answer, deeper, word, baseline)) continue;
    inventory.addParameter(item, lastSegmentOf(item));
    withValues.add(folder);
  }
}

function once(ask: (folder: string) => Promise<Exchange>): (folder: string) => Promise<Exchange> {
  const asked = new Map<string, Promise<Exchange>>();
  return (folder) => {
    const answer = asked.get(folder) ?? ask(folder);
    asked.set(folder, answer);
    return answer;
  };
}

async function someIs<Item>(items: readonly Item[], is: (item: Item) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await is(item)) return true;
  return false;
}

/** Whether both are pages of one program, which reads the rest of the path however long it is. */
function isBuiltAlike(above: Exchange, below: Exchange): boolean {
  const [one, other] = [above, below].map((exchange) => readAnswer(exchange, exchange.request.url));
  const isPage = one !== undefined && one.status < 400 && /html/i.test(one.contentType);
  return isPage && other?.status === one.status && other.skeleton === one.skeleton;
}

function folderOf({ url }: InventoryItem): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.slice(0, pathname.lastIndexOf('/') + 1);
}

function foldersWithValues(items: readonly InventoryItem[]): Set<string> {
  const hasValue = (item: InventoryItem) =>
    item.parameters.some(({ location, name }) => location === 'path' && name === lastSegmentOf(item).name);
  return new Set(items.filter(hasValue).map(folderOf));
}

/** One page of each folder below the top; none where a value in the path is known. */
function foldersOf(pages: readonly InventoryItem[], known: ReadonlySet<string>): Map<string, InventoryItem> {
  const folders = new Map<string, InventoryItem>();
  for (const item of pages) {
    const folder = folderOf(item);
    const { name, value } = lastSegmentOf(item);
    if (name === '0' || value === '' || known.has(folder) || folders.has(folder)) continue;
    folders.set(folder, item);
  }
  return folders;
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
