import { TransportError } from './errors.ts';
import type { Answer } from './types.ts';

interface Page {
  nextOffset: number | null;
}

interface PageQuery {
  limit?: number | undefined;
  offset?: number | undefined;
}

/** All items of a list; pages are requested lazily during iteration. */
export interface Pages<Item, Data> extends AsyncIterable<Item> {
  /** Iterates over the pages as the service returned them. */
  pages(): AsyncIterable<Answer<Data>>;
}

/** The maximum page size of the service, for the fewest requests. */
const PAGE_SIZE = 100;

/** Returns all entries of a list, page by page, each entry once. */
export function createPages<Item extends object, Data extends Page>(
  read: (query: PageQuery) => Promise<Answer<Data>>,
  itemsOf: (page: Data) => readonly Item[],
  { limit = PAGE_SIZE, offset = 0 }: PageQuery = {},
  idOf: (item: Item) => string = (item) => (item as { id: string }).id,
): Pages<Item, Data> {
  async function* pages() {
    for (let at: number | null = offset; at !== null; ) {
      const answer: Answer<Data> = await read({ limit, offset: at });
      yield answer;
      const next: number | null = answer.data.nextOffset ?? null;
      if (next !== null && !(next > at))
        throw new TransportError('unreadable', 'The next offset of the list does not advance.', {});
      at = next;
    }
  }

  /** Skips duplicates: an item added at the top while the list is read shifts the others into the next page. */
  async function* items() {
    const seen = new Set<string>();
    for await (const { data } of pages()) {
      for (const item of itemsOf(data)) {
        const id = idOf(item);
        if (seen.has(id)) continue;
        seen.add(id);
        yield item;
      }
    }
  }

  return { pages, [Symbol.asyncIterator]: items };
}
