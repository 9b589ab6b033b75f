/** The contract takes no larger offset, so a page beyond it could not be asked for. */
const LARGEST_OFFSET = 10_000;

/** Where the next page begins; null when there is none, or none that can be asked for. */
export function nextOffset({ limit, offset }: { limit: number; offset: number }, hasMore: boolean): number | null {
  const next = offset + limit;
  return hasMore && next <= LARGEST_OFFSET ? next : null;
}
