import { defineRequestCheck, type Known, type Verdict } from '../../active-check.ts';
import type { InventoryItem, Parameter } from '../../crawl/inventory.ts';
import { requestOf } from '../../crawl/write-request.ts';
import { isSame } from '../../oracle/compare.ts';
import {
  type Compared,
  compareAll,
  isGiven,
  isPrivateMark,
  privateKeysOf,
  shows,
} from '../../oracle/private-content.ts';
import { type PointRequest, requestWith } from '../../point.ts';
import { freshly, isMetBy, marksOf, readsOnly } from '../accounts.ts';

const LABELS = {
  nobody: 'without any account',
  other: 'as the other account',
  missing: 'as the other account, for what does not exist',
  owner: 'as the account it belongs to',
} as const;
const OWN = 'as the other account, for what is its own';

const IDENTIFIER = /(?:^|[_/-])(?:id|uuid|guid|key|ref|no|number|user(?:name)?|account|owner|email|file)$|[a-z]I[dD]$/i;
const VALUE = /^(?:\d{1,12}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,64})$/i;
const PLACES = new Set<Parameter['location']>(['path', 'query', 'form', 'json', 'graphql']);
const MOST_IDENTIFIERS = 3;

/** What says which thing the request is for. */
function identifiersOf({ parameters }: InventoryItem): Parameter[] {
  const isOne = ({ location, name, value }: Parameter) =>
    PLACES.has(location) && value !== '' && (location === 'path' || VALUE.test(value) || IDENTIFIER.test(name));
  return parameters.filter(isOne).slice(0, MOST_IDENTIFIERS);
}

/** Of the same shape, and nobody's: numbers beyond all that were given out, else the same letters mixed up anew. */
function nobodys(value: string, [a, b]: readonly number[]): string {
  if (/^\d+$/.test(value)) return `9${a}${b}`;
  const digits = `${a}${b}`;
  return value.replace(/[0-9a-z]/gi, (_character, index: number) => digits[index % digits.length] ?? '0');
}

/** Somebody who has not come across the thing. */
const strangerTo = (item: InventoryItem, { accounts }: Known) =>
  accounts.find(({ name }) => name !== item.seenAs && !isMetBy(item, name))?.name;

/** A thing of the same kind that only the other account has come across. */
function ownOf(
  { url, sightings = [], ...item }: InventoryItem,
  stranger: string | undefined,
): PointRequest | undefined {
  const isOwners = (address: string) => sightings.some(({ as, url }) => as === item.seenAs && url === address);
  const own = sightings.find(({ as, url: address }) => as === stranger && address !== url && !isOwners(address));
  return own && requestOf({ ...item, url: own.url });
}

export default defineRequestCheck<number>({
  id: 'broken-object-authorization',
  title: 'An account reads what belongs to another one',
  cwe: 639,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  why: 'The request names the thing it wants, and the target does not ask whose it is. With other names in it, everybody who has an account reads the data of all others.',
  fix: 'Ask on the server for each thing whether it belongs to whoever asks, in the query itself: where id = … and owner = …. Random names do not replace that.',
  risk: 'harmless',
  appliesTo: (item, known) =>
    item.seenAs !== null &&
    readsOnly(item) &&
    !isMetBy(item, null) &&
    identifiersOf(item).length > 0 &&
    strangerTo(item, known) !== undefined,
  /** Which of its identifiers. */
  variants: [0, 1, 2],
  async probe(item) {
    return this.variants.slice(0, identifiersOf(item).length);
  },
  maxRequests: 30,
  proof: {
    plan(item, which, { numbers }, known) {
      const parameter = identifiersOf(item)[which];
      const as = strangerTo(item, known);
      if (!parameter || as === undefined) return [];
      const own = ownOf(item, as);
      const missing = requestWith({ item, parameter }, nobodys(parameter.value, numbers));
      return [
        { label: LABELS.nobody, request: freshly(requestOf(item)), as: null },
        { label: LABELS.other, request: freshly(requestOf(item)), as },
        ...(own ? [{ label: OWN, request: freshly(own), as }] : []),
        { label: LABELS.missing, request: freshly(missing), as },
        { label: LABELS.owner, request: freshly(requestOf(item)) },
      ];
    },
    judge(answers, which, _nonce, item, known) {
      const compared = compareAll(answers, LABELS, [identifiersOf(item)[which]?.value ?? '']);
      if (!compared) return 'VOID';
      const { nobody, other, missing, owner } = compared;
      const isTheSame = isGiven(owner) && isGiven(other) && isSame(owner, other);
      if (!isTheSame || isSame(owner, nobody) || isSame(other, missing)) return 'REFUTED';
      const ofOwn = answers.has(OWN) ? compareAll(answers, { own: OWN })?.own : undefined;
      return weigh({ ...compared, own: ofOwn }, marksOf(known, item.seenAs));
    },
  },
  lab: () => ({
    item: {
      method: 'GET',
      url: '/orders/1',
      parameters: [{ location: 'path', name: '3', value: '1' }],
      seenAs: 'alice',
      contentType: 'application/json',
      sightings: [{ as: 'bob', url: '/orders/2', status: 200 }],
    },
    vulnerable: ({ path, account }) => (account === null ? refused : (orders.get(path) ?? nothing)),
    safe: ({ path, account }) =>
      account === null ? refused : orders.get(path)?.body.includes(account) ? (orders.get(path) ?? nothing) : nothing,
  }),
});

/** An address of the owner is theirs alone; their name is if it comes with what people keep to themselves. */
function weigh(
  { nobody, other, missing, own }: Record<'nobody' | 'other' | 'missing', Compared> & { own: Compared | undefined },
  ofOwner: readonly string[],
): Verdict {
  const controls = [nobody, missing, ...(own ? [own] : [])];
  const marks = ofOwner.filter((mark) => shows(other.text, mark) && !controls.some(({ text }) => shows(text, mark)));
  const holdsPrivate = privateKeysOf(other.text).length > 0;
  const isTheirs = marks.some(isPrivateMark) || (marks.length > 0 && holdsPrivate);
  // Without a thing of its own, the other account may be one that is meant to see all.
  if (isTheirs) return own && isGiven(own) && !isSame(own, other) ? 'PROVED' : 'LIKELY';
  return holdsPrivate && own && isGiven(own) && !isSame(own, other) ? 'LIKELY' : 'REFUTED';
}

const json = { 'content-type': 'application/json' };
const refused = { status: 401, headers: json, body: '{"error":"log in first"}' };
const nothing = { status: 404, headers: json, body: '{"error":"no such order"}' };
const orders = new Map([
  ['/orders/1', { headers: json, body: '{"for":"alice@shop.test","tea":"Assam, second flush"}' }],
  ['/orders/2', { headers: json, body: '{"for":"bob@shop.test","tea":"Sencha, first harvest"}' }],
]);
