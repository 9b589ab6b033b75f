import { type Command, Option } from 'commander';
import { readCount } from '../terminal/read-values.ts';

export interface ListFlags {
  limit?: string;
  all?: boolean;
}

/** Adds `--limit` and `--all`. `what` names the records in the help. */
export const withListOptions = (command: Command, what: string): Command =>
  command
    .addOption(new Option('--limit <number>', `maximum number of ${what} (default: 20)`).conflicts('all'))
    .option('--all', `list all ${what}`);

const MOST_PER_PAGE = 100;

/** Resolves to as many records as the flags request, read page by page. */
export async function readList<Item>(
  { limit, all }: ListFlags,
  pages: (query: { limit: number }) => AsyncIterable<Item>,
): Promise<Item[]> {
  const most = all ? Number.POSITIVE_INFINITY : readCount('--limit', limit ?? '20', 1);
  const items: Item[] = [];
  for await (const item of pages({ limit: Math.min(most, MOST_PER_PAGE) })) {
    items.push(item);
    if (items.length >= most) break;
  }
  return items;
}
