import { effectOf } from '../../../crawl/effect/judge.ts';
import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { madeUrl } from '../../../oracle/made-url.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { type Asking, defineRequestCheck } from '../../define-active-check.ts';
import { evenUnanswered } from '../../experiment.ts';
import type { PointRequest } from '../../insertion-point.ts';
import type { LabRequest } from '../../lab.ts';
import { userOf, type WithAccounts } from '../../shared/accounts.ts';
import { fieldsOf } from '../../shared/privileged-fields.ts';
import { freeTexts, requestWithAll } from '../../shared/stored-marks.ts';
import { writerIn } from '../../shared/written-by.ts';

/** The fields that name the owner and that carry the text by which the entry is found. */
interface Variant {
  owner: Parameter;
  text: Parameter;
  /** Whether the response names the URL of the entry; otherwise it is listed at the URL it was posted to. */
  isNamed: boolean;
}

const BY_ID = /(?:^|[/_])(?:user|owner|author|account|customer|member|creator|sender)_?id$/i;
const BY_NAME = /(?:^|[/_])(?:user(?:name)?|owner|author|creator|sender|created_?by|posted_?by)$/i;
const isById = ({ name }: Parameter) => BY_ID.test(name);
/** Other id fields may name the recipient. */
const AUTHOR_ID = /(?:author|creator|sender)_?id$/i;

const ownersOf = ({ parameters }: InventoryItem) =>
  parameters.filter(({ location, name }) => location === 'json' && (BY_ID.test(name) || BY_NAME.test(name)));
const textsOf = (item: InventoryItem) =>
  freeTexts(item).filter(({ location, name }) => location === 'json' && !BY_NAME.test(name));

/** Returns the value that identifies the account in this field. */
function calledIn(parameter: Parameter, name: string | null | undefined, known: WithAccounts): string | undefined {
  return isById(parameter) ? known.accounts.find((each) => each.name === name)?.id : userOf(known, name);
}

const strangerTo = ({ seenAs }: InventoryItem, { accounts }: WithAccounts) =>
  accounts.find(({ name }) => name !== seenAs)?.name;

const isForgeable = (item: InventoryItem, known: WithAccounts) => (owner: Parameter) =>
  [item.seenAs, strangerTo(item, known)].every((name) => calledIn(owner, name, known) !== undefined);

function writing(item: InventoryItem, { owner, text }: Pick<Variant, 'owner' | 'text'>, as: string, word: string) {
  return requestWithAll(item, [
    [owner, as],
    [text, word],
  ]);
}

const reading = ({ url }: InventoryItem): PointRequest => ({ method: 'GET', url });
const fieldOf = ({ name }: Parameter) => name.split('/').at(-1) ?? '';

async function findAgain(item: InventoryItem, owner: Parameter, word: string, asking: Asking): Promise<Variant[]> {
  const { ask, known, willChange } = asking;
  const [text] = textsOf(item);
  const self = calledIn(owner, item.seenAs, known);
  if (!text || self === undefined) return [];
  const change = await willChange([]);
  const answer: Exchange = await ask(writing(item, { owner, text }, self, word));
  if ((answer.response?.status ?? 500) >= 400) change.forget();
  const made = madeUrl(answer);
  const shown = await ask({ method: 'GET', url: made ?? item.url });
  const isFound = writerIn(textOf(shown), word, fieldOf(owner)) === self;
  return isFound ? [{ owner, text, isNamed: made !== undefined }] : [];
}

export default defineRequestCheck({
  id: 'author-spoofing',
  title: "IDOR: one account can post in another account's name",
  cwe: 639,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker with any account publishes messages, reviews or orders that appear to come from another user.',
  why: "The request names the author, and the server trusts it. An attacker with any account publishes content in the name of other users. Content sent with another test account's id was stored under that account. The test created a few entries; the evidence lists them.",
  fix: 'Take the author from the session on the server and ignore the field of the request. Delete the entries that the test created.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/639.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (item, known) =>
    item.seenAs !== null &&
    (item.method === 'POST' || item.method === 'PUT') &&
    (item.effect ?? effectOf({ method: item.method, url: item.url })) === 'changes' &&
    textsOf(item).length > 0 &&
    ownersOf(item).some(isForgeable(item, known)),
  variants: [] as Variant[],
  maxRequests: 16,
  async probe(item, { word }, asking) {
    const [owner] = ownersOf(item).filter(isForgeable(item, asking.known));
    return owner ? findAgain(item, owner, word, asking) : [];
  },
  parameterOf: (_item, { owner }) => owner,
  proof: {
    plan(item, variant, { word }, facts) {
      const { owner, isNamed } = variant;
      const [self, other] = [item.seenAs, strangerTo(item, facts)].map((name) => calledIn(owner, name, facts));
      if (self === undefined || other === undefined) return undefined;
      const change = { leavesTraces: true };
      const madeBy = (key: 'own' | 'forged') => (isNamed ? { madeBy: key } : {});
      return {
        own: evenUnanswered({
          label: 'entry in the own name',
          request: writing(item, variant, self, `${word}a`),
          isControl: true,
          change,
        }),
        first: { label: 'entry, read back', request: reading(item), isControl: true, ...madeBy('own') },
        forged: {
          label: 'entry in the name of another account',
          request: writing(item, variant, other, `${word}b`),
          change,
        },
        second: {
          label: 'entry in the name of another account, read back',
          request: reading(item),
          ...madeBy('forged'),
        },
      };
    },
    judge({ first, second }, { owner }, { word }, item, facts) {
      const [self, other] = [item.seenAs, strangerTo(item, facts)].map((name) => calledIn(owner, name, facts));
      const isOwn = writerIn(textOf(first), `${word}a`, fieldOf(owner)) === self;
      const isForged = writerIn(textOf(second), `${word}b`, fieldOf(owner)) === other;
      if (!isOwn || !isForged || self === other) return 'REFUTED';
      // A name can be free text, and a user id can mean the recipient.
      return AUTHOR_ID.test(owner.name) ? 'PROVED' : 'LIKELY';
    },
  },
  lab() {
    const notes = (isBelieving: boolean) => {
      const kept: Record<string, unknown>[] = [];
      const headers = { 'content-type': 'application/json' };
      return ({ method, body, account }: LabRequest) => {
        if (account === null) return { status: 401 };
        const author = isBelieving ? {} : { author: `${account}@shop.test` };
        if (method === 'PUT') kept.push({ ...fieldsOf(body), ...author });
        return { headers, body: JSON.stringify(method === 'PUT' ? { status: 'kept' } : { data: kept }) };
      };
    };
    return {
      item: {
        method: 'PUT',
        url: '/teas/7/notes',
        parameters: [
          { location: 'json', name: '/text', value: 'Good' },
          { location: 'json', name: '/author', value: 'carol@shop.test' },
        ],
        body: { type: 'application/json', text: '{"text":"Good","author":"carol@shop.test"}' },
        seenAs: 'alice',
        contentType: 'application/json',
      },
      confidence: 'FIRM',
      vulnerable: notes(true),
      safe: notes(false),
    };
  },
});
