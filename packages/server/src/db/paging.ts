/** Returns the offset of the next page; null on the last page. */
export function nextOffset({ limit, offset }: { limit: number; offset: number }, hasMore: boolean): number | null {
  return hasMore ? offset + limit : null;
}
