import { effectOf } from '../../../crawl/effect/judge.ts';
import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { leavesOf, textOf } from '../../../oracle/private-content.ts';
import { type Asking, defineRequestCheck, type Known } from '../../define-active-check.ts';
import { evenUnanswered, ifPossible } from '../../experiment.ts';
import type { PointRequest } from '../../insertion-point.ts';
import type { LabRequest } from '../../lab.ts';
import { readsOnly } from '../../shared/accounts.ts';
import { IDOR_WRITE } from '../../shared/idor-write.ts';
import { plainAnswer } from '../../shared/plain-answer.ts';
import { fieldIn, fieldsOf } from '../../shared/privileged-fields.ts';
import { requestWithAll } from '../../shared/stored-marks.ts';

/** An id in the body that names an object of the sender, and the same kind of object of another account. */
interface Pair {
  parameter: Parameter;
  foreign: string;
  as: string;
}

interface Variant extends Pair {
  /** Values of other ids that the target accepts: an object may be listed only once. */
  others: readonly (readonly [Parameter, string])[];
}

const ID = /^\/(\w{2,40}?)_?id$/i;
const MOST_VALUES = 5;
const MOST_PAIRS = 2;

/** Returns the ids in the paths of known requests for this kind of resource, with the session that requested them. */
function idsOf(kind: string, { inventory }: Pick<Known, 'inventory'>): { as: string | null; value: string }[] {
  const named = new RegExp(`/${kind}s?/(\\d{1,12}|[0-9a-f-]{16,36})(?=[/?#]|$)`, 'i');
  const isShown = ({ status }: { status: number | null }) => status === null || status < 400;
  const sightings = inventory.flatMap(({ url, seenAs, sightings: seen = [] }) => [
    { url, as: seenAs },
    ...seen.filter(isShown),
  ]);
  return sightings.flatMap(({ url, as }) => {
    const value = named.exec(url)?.[1];
    return value === undefined ? [] : [{ as, value }];
  });
}

const idsIn = ({ parameters }: InventoryItem) =>
  parameters.flatMap((parameter) => {
    const kind = parameter.location === 'json' ? ID.exec(parameter.name)?.[1] : undefined;
    return kind === undefined ? [] : [{ parameter, kind }];
  });

/** Returns ids of the sender's objects, each with an object that only another account has seen. */
function pairsOf(item: InventoryItem, known: Known): Pair[] {
  const pairs = idsIn(item).flatMap(({ parameter, kind }) => {
    const ids = idsOf(kind, known);
    const by = (as: string | null) => ids.filter((id) => id.as === as).map(({ value }) => value);
    const own = by(item.seenAs);
    if (!own.includes(parameter.value) || by(null).length > 0) return [];
    const strangers = known.accounts.filter(({ name }) => name !== item.seenAs && !by(name).includes(parameter.value));
    return strangers.flatMap(({ name: as }) => {
      const foreign = by(as).find((value) => !own.includes(value));
      return foreign === undefined ? [] : [{ parameter, foreign, as }];
    });
  });
  return pairs.slice(0, MOST_PAIRS);
}

/** Resolves to ids from the list of this kind of resource, requested once for all subjects. */
async function listedIds(kind: string, asking: Asking): Promise<string[]> {
  const path = new RegExp(`/${kind}s?/?$`, 'i');
  const isList = (item: InventoryItem) =>
    item.method === 'GET' && readsOnly(item) && /json/i.test(item.contentType) && path.test(new URL(item.url).pathname);
  const list = asking.known.inventory.find(isList);
  const leaves = list ? leavesOf(await plainAnswer(list, asking)) : [];
  return leaves.flatMap(({ key, value }) => (key === 'id' ? [String(value)] : []));
}

/** Yields values of the other ids: first those of the request, then those that the target lists. */
async function* valuesBeside(item: InventoryItem, pair: Pair, asking: Asking): AsyncGenerator<Variant['others']> {
  yield [];
  for (const { parameter, kind } of idsIn(item)) {
    if (parameter === pair.parameter) continue;
    const met = idsOf(kind, asking.known).map(({ value }) => value);
    const values = new Set([...met, ...(await listedIds(kind, asking))]);
    values.delete(parameter.value);
    for (const value of [...values].slice(0, MOST_VALUES)) yield [[parameter, value]];
  }
}

const withForeign = (item: InventoryItem, { parameter, foreign, others }: Variant) =>
  requestWithAll(item, [...others, [parameter, foreign]]);

/** Names the field twice: parsers of different layers use the first or the last value. */
function repeated(item: InventoryItem, variant: Variant): PointRequest {
  const { parameter, foreign, others } = variant;
  const request = requestWithAll(item, [...others, [parameter, parameter.value]]);
  const value = parameter.type === 'number' ? foreign : JSON.stringify(foreign);
  const body = String(request.body).replace(/\s*\}\s*$/, `,${JSON.stringify(parameter.name.slice(1))}:${value}}`);
  return { ...request, body };
}

const isDone = ({ response }: Exchange) => response !== null && response.status < 300;
const REFUSED = new Set([400, 401, 403, 404, 409, 422]);

const names = (exchange: Exchange, { parameter, foreign }: Pair) =>
  String(fieldIn(textOf(exchange), parameter.name.slice(1))) === foreign;

/** Returns the URL of the new object below that of the collection, if the response has its id. */
function childOf({ url }: InventoryItem, made: Exchange | undefined): string | undefined {
  const id = made && isDone(made) ? fieldIn(textOf(made), 'id') : undefined;
  const isId = (typeof id === 'number' || typeof id === 'string') && /^[\w-]{1,40}$/.test(String(id));
  return isId ? `${url.replace(/[?#].*$/s, '').replace(/\/$/, '')}/${id}` : undefined;
}

/** Returns the request for the new object. */
function onNew(method: string, item: InventoryItem, made: Exchange | undefined): PointRequest | undefined {
  const url = childOf(item, made);
  return url === undefined ? undefined : { method, url };
}

/** Removes what the attempt stored: only what the other account reads as an entry of its own object. */
async function remove(item: InventoryItem, pair: Pair, made: Exchange, { ask }: Asking): Promise<void> {
  const reading = onNew('GET', item, made);
  const read = reading && (await ask(reading, pair.as));
  if (reading && read && isDone(read) && names(read, pair)) {
    await ask({ ...reading, method: 'DELETE', isCleanUp: true }, pair.as);
  }
}

async function tryPair(item: InventoryItem, pair: Pair, asking: Asking): Promise<Variant[]> {
  const { ask } = asking;
  const isGuarded = REFUSED.has((await ask(withForeign(item, { ...pair, others: [] }))).response?.status ?? 0);
  if (!isGuarded) return [];
  for await (const others of valuesBeside(item, pair, asking)) {
    const made = await ask(repeated(item, { ...pair, others }));
    if (!isDone(made)) continue;
    await remove(item, pair, made, asking);
    return names(made, pair) ? [{ ...pair, others }] : [];
  }
  return [];
}

export default defineRequestCheck({
  id: 'idor-write-duplicate-key',
  title: 'IDOR: a repeated JSON field writes into an object of another account',
  ...IDOR_WRITE,
  why: "The server checks one value of a repeated JSON field and stores another one, because two parsers read the body differently. An attacker with any account bypasses the ownership check and writes into objects of other users. The request with the other test account's id was refused; with the own id first and the other id after it, the entry was stored in the other account's object.",
  fix: 'Parse the body once, and refuse JSON with repeated names. Use the same parsed value for the ownership check and for the statement that writes.',
  asvs: '1.5.3',
  appliesTo: (item, known) =>
    item.method === 'POST' &&
    (item.effect ?? effectOf(item)) === 'changes' &&
    item.seenAs !== null &&
    item.operation === undefined &&
    pairsOf(item, known).length > 0,
  variants: [] as Variant[],
  async probe(item, _nonce, asking) {
    for (const pair of pairsOf(item, asking.known)) {
      const found = await tryPair(item, pair, asking);
      if (found.length > 0) return found;
    }
    return [];
  },
  maxRequests: 42,
  parameterOf: (_item, { parameter }) => parameter,
  proof: {
    plan(item, variant) {
      const { url } = item;
      const { as } = variant;
      return {
        refused: { label: 'id of the other account alone', request: withForeign(item, variant), isControl: true },
        stored: {
          label: 'own id, then that of the other account under the same name',
          request: repeated(item, variant),
          change: { leavesTraces: true },
        },
        read: ifPossible({
          label: 'new entry, as the other account',
          request: { method: 'GET', url },
          written: (earlier) => onNew('GET', item, earlier.get('stored')),
          as,
        }),
        removed: ifPossible(
          evenUnanswered({
            label: 'entry removed by the other account',
            request: { method: 'DELETE', url },
            written(earlier) {
              const read = earlier.get('read');
              const isOwn = read !== undefined && isDone(read) && names(read, variant);
              return isOwn ? onNew('DELETE', item, earlier.get('stored')) : undefined;
            },
            as,
            change: { isCleanUp: true },
          }),
        ),
      };
    },
    judge({ refused, stored, read }, variant) {
      const isBypassed = REFUSED.has(refused.response.status) && isDone(stored) && names(stored, variant);
      if (!isBypassed) return 'REFUTED';
      return read?.response && isDone(read) && names(read, variant) ? 'PROVED' : 'LIKELY';
    },
  },
  lab() {
    const lists = (isParsedOnce: boolean) => {
      const owners = new Map([
        [4, 'alice'],
        [5, 'bob'],
      ]);
      const kept = new Map<number, { id: number; listId: number; teaId: number }>();
      const headers = { 'content-type': 'application/json' };
      let last = 0;
      const isListed = (listId: number, teaId: number) =>
        [...kept.values()].some((each) => each.listId === listId && each.teaId === teaId);
      return ({ method, path, body, account }: LabRequest) => {
        if (account === null) return { status: 401 };
        const id = Number(path.split('/').at(-1));
        if (method === 'DELETE') return { status: kept.delete(id) ? 204 : 404 };
        if (path === '/teas') return { headers, body: '[{"id":1},{"id":7}]' };
        if (method === 'GET') return { headers, body: JSON.stringify(kept.get(id) ?? {}) };
        const { listId, teaId } = fieldsOf(body) as { listId: number; teaId: number };
        const checked = isParsedOnce ? listId : Number(/"listId":(\d+)/.exec(body)?.[1]);
        if (owners.get(checked) !== account) return { status: 403 };
        if (teaId === 1 || isListed(listId, teaId)) return { status: 500 };
        const entry = { id: ++last, listId, teaId };
        kept.set(last, entry);
        return { status: 201, headers, body: JSON.stringify({ data: entry }) };
      };
    };
    const seen = (as: string, path: string) => ({ as, url: path, status: 200 });
    const reading = (url: string): InventoryItem => {
      return { method: 'GET', url, parameters: [], seenAs: 'alice', contentType: 'application/json' };
    };
    return {
      item: {
        method: 'POST',
        url: '/entries',
        parameters: [
          { location: 'json', name: '/listId', value: '4', type: 'number' },
          { location: 'json', name: '/teaId', value: '1', type: 'number' },
        ],
        body: { type: 'application/json', text: '{"listId":4,"teaId":1}' },
        seenAs: 'alice',
        contentType: 'application/json',
      },
      others: [
        { ...reading('/lists/4'), sightings: [seen('alice', '/lists/4'), seen('bob', '/lists/5')] },
        reading('/teas'),
      ],
      vulnerable: lists(false),
      safe: lists(true),
    };
  },
});
