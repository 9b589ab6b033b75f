import { effectOf } from '../../crawl/effect/judge.ts';
import type { Hint, InventoryItem } from '../../crawl/inventory/inventory.ts';
import type { Known } from '../define-active-check.ts';
import type { PointRequest } from '../insertion-point.ts';

/** What is known of a run, as far as its accounts. */
export type WithAccounts = Pick<Known, 'accounts'>;

/** Returns the texts that only pages for the account show; none if the account is unknown. */
export function marksOf({ accounts }: WithAccounts, name: string | null): readonly string[] {
  return accounts.find((account) => account.name === name)?.marks ?? [];
}

/** Returns the account's login name, even if it is too short to be a mark. */
export function userOf({ accounts }: WithAccounts, name: string | null | undefined): string | undefined {
  const account = accounts.find((each) => each.name === name);
  return account?.user ?? account?.marks[0];
}

/** Returns whether this session has seen the request, or got a successful response to it. */
export function isMetBy({ url, body, seenAs, sightings = [] }: InventoryItem, name: string | null): boolean {
  const isAnswered = ({ status }: { status: number | null }) => status === null || status < 400;
  const isIt = (sighting: { url: string; body?: string }) =>
    sighting.url === url && (sighting.body === undefined || sighting.body === body?.text);
  return seenAs === name || sightings.some((each) => each.as === name && isIt(each) && isAnswered(each));
}

export const wasRefused = ({ refused = [] }: Known, { url }: Pick<InventoryItem, 'url'>, name: string | null) =>
  refused.some((each) => each.as === name && each.url === url);

/** Returns false only if the crawl has examined the response without finding the hint. */
export const mayHold = ({ hints }: InventoryItem, hint: Hint) => hints === undefined || hints.includes(hint);

/** Administrative URLs, meant for some accounts only. */
const FUNCTION =
  /(?:^|[/_.-])(?:admin\w*|internal|manage(?:ment|r)?|backoffice|staff|superuser|moderat\w*|console)(?=$|[/_.?-])/i;
export const isFunction = (url: string) => FUNCTION.test(new URL(url).pathname);

/** Returns an administrative URL that this session was refused. */
export const refusedFunction = ({ refused = [] }: Known, name: string | null) =>
  refused.find(({ as, url }) => as === name && isFunction(url))?.url;

export const readsOnly = ({ effect, method, url }: InventoryItem) => (effect ?? effectOf({ method, url })) === 'reads';

/** Bypasses caches, which could return the response meant for another session. */
export function freshly(request: PointRequest): PointRequest {
  return { ...request, headers: [...(request.headers ?? []), ['Cache-Control', 'no-cache']] };
}
