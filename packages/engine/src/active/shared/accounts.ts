import { effectOf } from '../../crawl/inventory/danger.ts';
import type { Hint, InventoryItem } from '../../crawl/inventory/inventory.ts';
import type { Known } from '../define-active-check.ts';
import type { PointRequest } from '../insertion-point.ts';

export function marksOf({ accounts }: Known, name: string | null): readonly string[] {
  return accounts.find((account) => account.name === name)?.marks ?? [];
}

/** What the account calls itself, also where that is too short to be a mark. */
export function userOf({ accounts }: Known, name: string | null | undefined): string | undefined {
  const account = accounts.find((each) => each.name === name);
  return account?.user ?? account?.marks[0];
}

/** Whether this visitor has come across the request itself, or has been answered it. */
export function isMetBy({ url, body, seenAs, sightings = [] }: InventoryItem, name: string | null): boolean {
  const isAnswered = ({ status }: { status: number | null }) => status === null || status < 400;
  const isIt = (sighting: { url: string; body?: string }) =>
    sighting.url === url && (sighting.body === undefined || sighting.body === body?.text);
  return seenAs === name || sightings.some((each) => each.as === name && isIt(each) && isAnswered(each));
}

export const wasRefused = ({ refused = [] }: Known, { url }: Pick<InventoryItem, 'url'>, name: string | null) =>
  refused.some((each) => each.as === name && each.url === url);

/** Unless the crawl has looked and seen nothing of it. */
export const mayHold = ({ hints }: InventoryItem, hint: Hint) => hints === undefined || hints.includes(hint);

/** What only some accounts are meant to use, by its address. */
const FUNCTION =
  /(?:^|[/_.-])(?:admin\w*|internal|manage(?:ment|r)?|backoffice|staff|superuser|moderat\w*|console)(?=$|[/_.?-])/i;
export const isFunction = (url: string) => FUNCTION.test(new URL(url).pathname);

/** What of that somebody was not shown. */
export const refusedFunction = ({ refused = [] }: Known, name: string | null) =>
  refused.find(({ as, url }) => as === name && isFunction(url))?.url;

export const readsOnly = ({ effect, method, url }: InventoryItem) => (effect ?? effectOf(method, url)) === 'reads';

/** An answer that was given to somebody else must not come from a store on the way. */
export function freshly(request: PointRequest): PointRequest {
  return { ...request, headers: [...(request.headers ?? []), ['Cache-Control', 'no-cache']] };
}
