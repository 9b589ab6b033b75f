import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { readJson, textOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck, type Known } from '../../define-active-check.ts';
import { cleanUp, evenUnanswered } from '../../experiment.ts';
import { type PointRequest, requestWith } from '../../insertion-point.ts';
import type { LabRequest } from '../../lab.ts';
import { userOf } from '../../shared/accounts.ts';
import { IDOR_WRITE } from '../../shared/idor-write.ts';
import { freeTexts } from '../../shared/stored-marks.ts';

/** A field of the object and its original value. */
interface Variant {
  parameter: Parameter;
  before: string;
}

const reading = ({ url }: InventoryItem): PointRequest => ({ method: 'GET', url });

/** Returns whether the URL names the account: only objects of the test accounts are changed. */
function isOwners({ url, seenAs }: InventoryItem, known: Known): boolean {
  const user = userOf(known, seenAs);
  return user !== undefined && new URL(url).pathname.split('/').includes(user);
}

const strangerTo = ({ seenAs }: InventoryItem, { accounts }: Pick<Known, 'accounts'>) =>
  accounts.find(({ name }) => name !== seenAs)?.name;

const writing = (item: InventoryItem, parameter: Parameter, value: string) => requestWith({ item, parameter }, value);

/** Returns the current value of the field as shown to the owner. */
function fieldIn(text: string, { name }: Parameter): unknown {
  const read = readJson(text);
  const field = name.split('/').at(-1) ?? '';
  return typeof read === 'object' && read !== null && field in read ? Reflect.get(read, field) : undefined;
}

export default defineRequestCheck({
  id: 'idor-write',
  title: "IDOR: one account can change another account's objects",
  ...IDOR_WRITE,
  why: "The request identifies an object by an id, and the server does not check who owns it before it writes (insecure direct object reference, also called BOLA). An attacker with any account can modify the data of other users. A second test account changed a field of the first account's object; the same change without a login had no effect.",
  appliesTo: (item, known) =>
    (item.method === 'PUT' || item.method === 'PATCH') &&
    item.seenAs !== null &&
    isOwners(item, known) &&
    strangerTo(item, known) !== undefined &&
    freeTexts(item).length > 0,
  variants: [] as Variant[],
  async probe(item, _nonce, { ask }) {
    const text = textOf(await ask(reading(item)));
    return freeTexts(item)
      .slice(0, 1)
      .flatMap((parameter) => {
        const before = fieldIn(text, parameter);
        return typeof before === 'string' ? [{ parameter, before }] : [];
      });
  },
  maxRequests: 14,
  parameterOf: (_item, { parameter }) => parameter,
  proof: {
    plan(item, { parameter, before }, { word }, facts) {
      const as = strangerTo(item, facts);
      if (as === undefined) return undefined;
      return {
        before: { label: 'object before the test, as the owner', request: reading(item), isControl: true },
        nobody: evenUnanswered({
          label: 'change without a login',
          request: writing(item, parameter, `${word}n`),
          as: null,
          isControl: true,
        }),
        refused: { label: 'object after that', request: reading(item), isControl: true },
        change: { label: 'change as another account', request: writing(item, parameter, word), as },
        after: { label: 'object after the test', request: reading(item) },
        back: cleanUp({
          label: 'original value restored, as the owner',
          request: writing(item, parameter, before),
        }),
      };
    },
    judge(answers, { parameter, before }, { word }) {
      const { before: first, refused, after } = answers;
      const [was, stayed, is] = [first, refused, after].map((answer) => fieldIn(textOf(answer), parameter));
      // If a visitor without an account can change the field too, it is public or a different flaw.
      return was === before && stayed === before && is === word ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const addresses = (isOpen: boolean) => {
      const streets = new Map([['alice@shop.test', '1 Meadow Lane']]);
      return ({ method, path, body, account }: LabRequest) => {
        const owner = path.split('/').at(-1) ?? '';
        const mayAsk = account !== null && (`${account}@shop.test` === owner || (isOpen && method === 'PATCH'));
        if (!mayAsk) return { status: 403, body: '{"error":"not yours"}' };
        if (method === 'PATCH') streets.set(owner, String(fieldOf(body)));
        return {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ street: streets.get(owner) }),
        };
      };
    };
    const fieldOf = (body: string) => fieldIn(body, { location: 'json', name: '/street', value: '' });
    return {
      item: {
        method: 'PATCH',
        url: '/addresses/alice@shop.test',
        parameters: [{ location: 'json', name: '/street', value: '1 Meadow Lane' }],
        body: { type: 'application/json', text: '{"street":"1 Meadow Lane"}' },
        seenAs: 'alice',
        contentType: 'application/json',
      },
      vulnerable: addresses(true),
      safe: addresses(false),
    };
  },
});
