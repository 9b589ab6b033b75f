import { effectOf } from '../crawl/effect/judge.ts';
import type { Effect } from '../crawl/inventory/effects.ts';
import { type InventoryItem, templateOf } from '../crawl/inventory/inventory.ts';
import { readAnswer } from '../crawl/readers/read-answer.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import type { Known } from './define-active-check.ts';

/** Limits the memory of a run, and the state that is saved. */
const MOST_AVOIDED = 200;
const MOST_CHARACTERS = 300;

interface AvoidedLink {
  url: string;
  effect: Effect;
}

/** Adds what the run avoids requesting, as far as there is room. */
export function addAvoided(avoided: AvoidedLink[], links: readonly AvoidedLink[]): void {
  for (const link of links) {
    if (avoided.length >= MOST_AVOIDED) return;
    if (link.url.length <= MOST_CHARACTERS && !avoided.some(({ url }) => url === link.url)) avoided.push(link);
  }
}

/** Remembers the links of a page whose words say that they change something: their addresses alone may not. */
export function avoidLinksOf(exchange: Exchange, avoided: AvoidedLink[]): void {
  const links = readAnswer(exchange, exchange.request.url)?.links ?? [];
  const judged = links.map(({ url, words }) => ({ url, effect: effectOf({ method: 'GET', url, label: words }) }));
  addAvoided(
    avoided,
    judged.filter(({ effect }) => effect !== 'reads'),
  );
}

const placeOf = (url: string) => templateOf({ method: 'GET', url, parameters: [] });
const isId = (value: string) => /\d/.test(value) || value === '';

/** Returns whether a URL has the path and the fields of another one, perhaps with other ids and more fields. */
function isLike(url: string, other: string, fields: readonly (readonly [string, string])[]): boolean {
  const own = new URL(url).searchParams;
  const hasField = ([name, value]: readonly [string, string]) =>
    own.has(name) && (isId(value) || own.getAll(name).includes(value));
  return placeOf(url) === placeOf(other) && fields.every(hasField);
}

/** Returns what links to this URL, or to the same with another id, say of it; undefined if no such link was avoided. */
export function avoidedEffect(url: string, avoided: Known['avoided'] = []): Effect | undefined {
  return avoided.find((link) => isLike(url, link.url, [...new URL(link.url).searchParams]))?.effect;
}

/** Returns whether a request by GET is known to change something: by links to it, or by what the crawl has found. */
export function isAvoided(url: string, { avoided, inventory }: Pick<Known, 'avoided' | 'inventory'>): boolean {
  const fieldsOf = ({ parameters }: InventoryItem) =>
    parameters.flatMap(({ location, name }) => (location === 'query' ? [[name, ''] as const] : []));
  const isChanging = ({ method, effect = 'reads', isOurs }: InventoryItem) =>
    method === 'GET' && effect !== 'reads' && !isOurs;
  return (
    avoidedEffect(url, avoided) !== undefined ||
    inventory.some((item) => isChanging(item) && isLike(url, item.url, fieldsOf(item)))
  );
}
