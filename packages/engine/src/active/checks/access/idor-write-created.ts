import { effectOf } from '../../../crawl/effect/judge.ts';
import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { madeUrl } from '../../../oracle/made-url.ts';
import { leavesOf, textOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck, type Known } from '../../define-active-check.ts';
import { evenUnanswered, ifPossible, type PlannedRequest, type ProofFacts } from '../../experiment.ts';
import { type PointRequest, requestWith } from '../../insertion-point.ts';
import type { LabRequest } from '../../lab.ts';
import { isFunction, isMetBy, marksOf, wasRefused } from '../../shared/accounts.ts';
import { IDOR_WRITE } from '../../shared/idor-write.ts';
import { another, fieldIn, fieldsOf, written } from '../../shared/privileged-fields.ts';
import { freeTexts } from '../../shared/stored-marks.ts';

/** How an object of this kind is changed, which its creator has shown. */
interface Variant {
  method: 'PATCH' | 'PUT';
  /** A GET of the collection is known. */
  isListed: boolean;
  /** The other account. */
  as: string;
}

/** Returns a text at the top level of the object. */
const textIn = (item: InventoryItem): Parameter | undefined =>
  freeTexts(item).find(({ location, name }) => location === 'json' && /^\/[^/]+$/.test(name));
const fieldOf = ({ name }: Parameter) => name.slice(1);

const creating = (item: InventoryItem, field: Parameter, word: string): PointRequest =>
  requestWith({ item: another(item, word), parameter: field }, word);

/** PUT replaces the whole object. */
function changing(item: InventoryItem, field: Parameter, method: string, word: string): PointRequest {
  const { headers, body } = requestOf(item);
  const sent = { ...(method === 'PUT' && fieldsOf(String(body))), [fieldOf(field)]: word };
  return { method, url: item.url, ...(headers && { headers }), body: JSON.stringify(sent) };
}

/** Returns the URL of the new object. It is below that of the collection: other links lead to what existed before. */
function childOf({ url }: InventoryItem, made: Exchange | undefined): string | undefined {
  const named = made && madeUrl(made);
  const collection = `${url.replace(/[?#].*$/s, '').replace(/\/$/, '')}/`;
  return named?.startsWith(collection) && /^[^/?#]+$/.test(named.slice(collection.length)) ? named : undefined;
}

/** Returns an account that has not shown more rights than the creator: staff may change the objects of all. */
const strangerTo = ({ seenAs }: InventoryItem, known: Known) =>
  known.accounts.find(({ name }) => {
    const isStaff = (item: InventoryItem) =>
      isFunction(item.url) && isMetBy(item, name) && wasRefused(known, item, seenAs);
    return name !== seenAs && !known.inventory.some(isStaff);
  })?.name;

const OWNER = /^(?:owner|user|customer|account|member|tenant)(?:_?(?:id|name|email))?$/i;

/** Returns whether a field of the object says that it belongs to the account. */
function namesOwner(text: string, { accounts }: ProofFacts, name: string | null): boolean {
  const { user, id } = accounts.find((each) => each.name === name) ?? {};
  const own = [user, id, ...marksOf({ accounts }, name)].filter((each) => each !== undefined && each !== '');
  return leavesOf(text).some(({ key, value }) => OWNER.test(key) && own.includes(String(value)));
}

const REFUSED = new Set([401, 403, 404]);
const isDone = ({ response }: Exchange) => response !== null && response.status < 400;

export default defineRequestCheck({
  id: 'idor-write-created',
  title: 'IDOR: one account can change what another account created',
  ...IDOR_WRITE,
  why: 'An object is changed by its id, and the server does not check who owns it before it writes (insecure direct object reference, also called BOLA). An attacker with any account can modify the data of other users. The test created an object with one account and changed it with a second one, which is not meant to have it; the first account then read the changed value. The same change without a login had no effect.',
  appliesTo: (item, known) =>
    item.method === 'POST' &&
    (item.effect ?? effectOf(item)) === 'changes' &&
    item.seenAs !== null &&
    item.operation === undefined &&
    Object.keys(written(item)).length > 0 &&
    textIn(item) !== undefined &&
    strangerTo(item, known) !== undefined,
  variants: [] as Variant[],
  /** Learns how the creator changes the object, so that nothing is tried where it cannot be changed at all. */
  async probe(item, { word }, { ask, known }) {
    const field = textIn(item);
    const made = field && (await ask(creating(item, field, word)));
    const url = childOf(item, made);
    if (!field || url === undefined) return [];
    const shows = async (value: string) => fieldIn(textOf(await ask({ method: 'GET', url })), fieldOf(field)) === value;
    const isListed = known.inventory.some(({ method, url: each }) => method === 'GET' && each === item.url);
    const isChanged = async (method: Variant['method']) =>
      isDone(await ask({ ...changing(item, field, method, `${word}b`), url })) && (await shows(`${word}b`));
    let method: Variant['method'] | undefined;
    if (await shows(word)) method = (await isChanged('PATCH')) ? 'PATCH' : (await isChanged('PUT')) ? 'PUT' : undefined;
    await ask({ method: 'DELETE', url, isCleanUp: true });
    const as = strangerTo(item, known);
    return method === undefined || as === undefined ? [] : [{ method, isListed, as }];
  },
  maxRequests: 35,
  parameterOf: (item) => textIn(item) ?? { location: 'json', name: '', value: '' },
  proof: {
    plan(item, { method, isListed, as }, { word }) {
      const field = textIn(item);
      if (!field) return undefined;
      const { url } = item;
      const read = { request: { method: 'GET', url }, madeBy: 'created' } as const;
      const list = (by: PlannedRequest['as'], label: string): PlannedRequest | undefined =>
        isListed ? { label, request: { method: 'GET', url }, as: by ?? null, isControl: true } : undefined;
      return {
        created: {
          label: 'object created by its owner',
          request: creating(item, field, `${word}a`),
          isControl: true,
          change: { leavesTraces: true },
        },
        before: { label: 'new object, as the owner', ...read, isControl: true },
        ownList: list(item.seenAs, 'list of the owner'),
        otherList: list(as, 'list of the other account'),
        other: { label: 'new object, as the other account', ...read, as, isControl: true },
        nobody: evenUnanswered({
          label: 'change without a login',
          request: changing(item, field, method, `${word}n`),
          madeBy: 'created',
          as: null,
          isControl: true,
        }),
        stayed: { label: 'object after that, as the owner', ...read, isControl: true },
        change: {
          label: 'change as another account',
          request: changing(item, field, method, word),
          madeBy: 'created',
          as,
        },
        after: { label: 'object after the test, as the owner', ...read },
        removed: ifPossible(
          evenUnanswered({
            label: 'object removed by its owner',
            request: { method: 'DELETE', url },
            written(earlier) {
              const made = childOf(item, earlier.get('created'));
              return made === undefined ? undefined : { method: 'DELETE', url: made };
            },
            isControl: false,
            change: { isCleanUp: true },
          }),
        ),
      };
    },
    judge(answers, _variant, { word }, item, facts) {
      const field = textIn(item);
      if (!field) return 'VOID';
      const { before, ownList, otherList, other, stayed, after } = answers;
      const [was, still, is] = [before, stayed, after].map((each) => fieldIn(textOf(each), fieldOf(field)));
      const isHidden = REFUSED.has(other.response.status);
      const isUnlisted =
        ownList?.response != null &&
        otherList?.response?.status === 200 &&
        textOf(ownList).includes(`${word}a`) &&
        !textOf(otherList).includes(`${word}a`);
      // An object that all users may change, such as a page of a wiki, is no flaw.
      const isPrivate = isHidden || isUnlisted || namesOwner(textOf(before), facts, item.seenAs);
      return isPrivate && was === `${word}a` && still === was && is === word ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const notes = (mayChange: (owner: string, account: string) => boolean) => {
      const kept: { owner: string; text: string }[] = [];
      return ({ method, path, body, account }: LabRequest) => {
        if (account === null) return { status: 401 };
        const headers = { 'content-type': 'application/json' };
        const text = String(fieldsOf(body).text);
        if (method === 'POST') return { status: 201, headers, body: `{"id":${kept.push({ owner: account, text })}}` };
        const note = kept[Number(path.split('/').at(-1)) - 1];
        if (!note || (method === 'PATCH' ? !mayChange(note.owner, account) : note.owner !== account))
          return { status: 404 };
        if (method === 'PUT' || method === 'DELETE') return { status: 405 };
        if (method === 'PATCH') note.text = text;
        return { headers, body: JSON.stringify({ text: note.text }) };
      };
    };
    return {
      item: {
        method: 'POST',
        url: '/notes',
        parameters: [{ location: 'json', name: '/text', value: 'some words' }],
        body: { type: 'application/json', text: '{"text":"some words"}' },
        seenAs: 'alice',
        contentType: 'application/json',
      },
      vulnerable: notes(() => true),
      safe: notes((owner, account) => owner === account),
    };
  },
});
