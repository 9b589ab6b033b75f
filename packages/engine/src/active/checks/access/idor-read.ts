import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { isSame } from '../../../oracle/compare.ts';
import {
  type Compared,
  commonPart,
  compareAll,
  isGiven,
  isPrivateMark,
  privateKeysOf,
  shows,
} from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { Verdict } from '../../experiment.ts';
import { type PointRequest, requestWith } from '../../insertion-point.ts';
import { freshly, isMetBy, marksOf, readsOnly, userOf, type WithAccounts } from '../../shared/accounts.ts';

const IDENTIFIER = /(?:^|[_/-])(?:id|uuid|guid|key|ref|no|number|user(?:name)?|account|owner|email|file)$|[a-z]I[dD]$/i;
const VALUE = /^(?:\d{1,12}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,64})$/i;
const PLACES = new Set<Parameter['location']>(['path', 'query', 'form', 'json', 'xml', 'graphql']);
const MOST_IDENTIFIERS = 3;

/** Returns the parameters that identify the requested object. */
function identifiersOf(item: InventoryItem, known: WithAccounts): Parameter[] {
  const isOne = (parameter: Parameter) => {
    const { location, name, value } = parameter;
    const isNamed = location === 'path' || IDENTIFIER.test(name) || namesOwner(parameter, item, known);
    return PLACES.has(location) && value !== '' && (isNamed || VALUE.test(value));
  };
  return item.parameters.filter(isOne).slice(0, MOST_IDENTIFIERS);
}

/**
 * Returns an identifier of the same shape that belongs to no object: a very large number, or the value with all letters
 * and digits replaced.
 */
function nobodys(value: string, [a, b]: readonly number[]): string {
  if (/^\d+$/.test(value)) return `9${a}${b}`;
  const digits = `${a}${b}`;
  return value.replace(/[0-9a-z]/gi, (_character, index: number) => digits[index % digits.length] ?? '0');
}

const namesOwner = ({ value }: Parameter, item: InventoryItem, known: WithAccounts) =>
  value === userOf(known, item.seenAs);

/**
 * Returns an account that has not seen the object. An object identified by an account's name belongs to that account,
 * even if others have seen it.
 */
const strangerTo = (item: InventoryItem, known: WithAccounts) =>
  known.accounts.find(
    ({ name }) =>
      name !== item.seenAs &&
      (!isMetBy(item, name) || identifiersOf(item, known).some((parameter) => namesOwner(parameter, item, known))),
  )?.name;

/**
 * Returns a request for an object of the same kind that only the other account has seen or that its name identifies.
 */
function ownOf(
  item: InventoryItem,
  parameter: Parameter,
  stranger: string,
  known: WithAccounts,
): PointRequest | undefined {
  const user = userOf(known, stranger);
  if (namesOwner(parameter, item, known) && user !== undefined) return requestWith({ item, parameter }, user);
  const { url, body, sightings = [] } = item;
  const isSeen = (as: string | null, one: { url: string; body?: string }) =>
    sightings.some((each) => each.as === as && each.url === one.url && each.body === one.body);
  const isThis = (one: { url: string; body?: string }) => one.url === url && (one.body ?? '') === (body?.text ?? '');
  const own = sightings.find((each) => each.as === stranger && !isThis(each) && !isSeen(item.seenAs, each));
  return own && requestOf({ ...item, url: own.url, ...(body && { body: { ...body, text: own.body ?? body.text } }) });
}

/** Kinds of private objects, by name. */
const PRIVATE_KIND =
  /(?:^|[/_-])(?:orders?|invoices?|bills?|receipts?|payments?|transactions?|statements?|messages?|mails?|inbox|conversations?|address(?:es)?|baskets?|carts?|contracts?|prescriptions?|appointments?|bookings?|claims?)(?=$|[/_.?-])/i;
const isPrivateKind = ({ url, operation = '' }: InventoryItem) =>
  PRIVATE_KIND.test(`${new URL(url).pathname}/${operation.split(' ').at(-1)}`);

export default defineRequestCheck({
  id: 'idor-read',
  title: "IDOR: one account can read another account's objects",
  cwe: 639,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker with any account reads the objects of every other user by going through their ids.',
  why: 'The request identifies an object by an id, and the server does not check who owns it (insecure direct object reference, also called BOLA). An attacker with any account replaces the id and reads the data of other users. A second test account received an object that belongs to the first one; a request without a login did not return it.',
  fix: 'Check the ownership of every object on the server, in the query itself: WHERE id = … AND owner_id = …, with the owner taken from the session. Answer 404 for an object of another user, as for one that does not exist; masking single fields is no fix. If staff may read all objects, make that an explicit rule for their role. Random ids (UUIDs) make guessing harder, but do not replace the check.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Insecure_Direct_Object_Reference_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/04-Testing_for_Insecure_Direct_Object_References',
    'https://cwe.mitre.org/data/definitions/639.html',
  ],
  risk: 'harmless',
  appliesTo: (item, known) =>
    item.seenAs !== null &&
    readsOnly(item) &&
    !isMetBy(item, null) &&
    identifiersOf(item, known).length > 0 &&
    strangerTo(item, known) !== undefined,
  /** Index of the identifier. */
  variants: [0, 1, 2],
  async probe(item, _nonce, { ask, known }) {
    const { response } = await ask(freshly(requestOf(item)), strangerTo(item, known) ?? null);
    if (!response || !isGiven(response)) return [];
    return identifiersOf(item, known).map((_parameter, index) => index);
  },
  maxRequests: 30,
  proof: {
    plan(item, which, { numbers }, facts) {
      const parameter = identifiersOf(item, facts)[which];
      const as = strangerTo(item, facts);
      if (!parameter || as === undefined) return undefined;
      const request = freshly(requestOf(item));
      const own = ownOf(item, parameter, as, facts);
      const missing = requestWith({ item, parameter }, nobodys(parameter.value, numbers));
      return {
        nobody: { label: 'without a login', request, as: null, isControl: true },
        other: { label: 'as the other account', request, as, answer: { isDecisive: true } },
        own: own && {
          label: 'as the other account, for what is its own',
          request: freshly(own),
          as,
          isControl: true,
        },
        missing: {
          label: 'as the other account, object that does not exist',
          request: freshly(missing),
          as,
          isControl: true,
        },
        owner: { label: 'as the owner', request, isControl: true },
      };
    },
    judge({ own: ofOther, ...answers }, which, _nonce, item, facts) {
      const parameter = identifiersOf(item, facts)[which];
      if (!parameter) return 'VOID';
      // Pages show who is logged in, so user names are ignored in the comparison.
      const users = facts.accounts.flatMap(({ name }) => userOf(facts, name) ?? []);
      const noise = [parameter.value, ...users];
      const compared = compareAll(answers, noise);
      if (!compared) return 'VOID';
      const { nobody, other, missing, owner } = compared;
      const isTheSame = isGiven(owner) && isGiven(other) && isSame(owner, other);
      const own = ofOther && compareAll({ own: ofOther }, noise)?.own;
      if (!isTheSame && isGiven(owner) && isGiven(other)) {
        // A fix that masks one field of the object is none, and an object can have a public part.
        const controls = [nobody, missing, ...(own ? [own] : [])].map(({ text }) => text);
        return commonPart([owner.text, other.text], controls, parameter.value) === undefined ? 'REFUTED' : 'VOID';
      }
      if (!isTheSame || isSame(owner, nobody) || isSame(other, missing)) return 'REFUTED';
      const isPrivate = isPrivateKind(item) || privateKeysOf(other.text).length > 0;
      // The owner's name may be an echo of the request, so the data shown with it decides.
      const isByName = namesOwner(parameter, item, facts);
      const marks = isByName ? [] : marksOf(facts, item.seenAs);
      return weigh({ ...compared, own }, { marks, isPrivate, isByName });
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

interface Weighed {
  /** Names and addresses of the owner. */
  marks: readonly string[];
  /** Whether the object is of a private kind. */
  isPrivate: boolean;
  /** Whether the identifier is the owner's name. */
  isByName: boolean;
}

/** An e-mail address identifies the owner by itself; a name does so only together with private data. */
function weigh(
  { nobody, other, missing, own }: Record<'nobody' | 'other' | 'missing', Compared> & { own: Compared | undefined },
  { marks, isPrivate, isByName }: Weighed,
): Verdict {
  const controls = [nobody, missing, ...(own ? [own] : [])];
  const only = marks.filter((mark) => shows(other.text, mark) && !controls.some(({ text }) => shows(text, mark)));
  const isTheirs = only.some(isPrivateMark) || ((only.length > 0 || isByName) && isPrivate);
  const hasOwn = own !== undefined && isGiven(own) && !isSame(own, other);
  // Without an object of its own to compare, the other account may be allowed to see all objects.
  if (isTheirs) return hasOwn ? 'PROVED' : 'LIKELY';
  return isPrivate && hasOwn ? 'LIKELY' : 'REFUTED';
}

const json = { 'content-type': 'application/json' };
const refused = { status: 401, headers: json, body: '{"error":"log in first"}' };
const nothing = { status: 404, headers: json, body: '{"error":"no such order"}' };
const orders = new Map([
  ['/orders/1', { headers: json, body: '{"for":"alice@shop.test","tea":"Assam, second flush"}' }],
  ['/orders/2', { headers: json, body: '{"for":"bob@shop.test","tea":"Sencha, first harvest"}' }],
]);
