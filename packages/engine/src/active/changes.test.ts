import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Given, judge, nonce, twoAccounts } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import change from './checks/access/idor-write.ts';
import created from './checks/access/idor-write-created.ts';
import made from './checks/access/mass-assignment-create.ts';
import amount from './checks/access/negative-quantity.ts';
import put from './checks/exposure/http-put-upload.ts';
import limit from './checks/graphql/graphql-alias-overloading.ts';
import template from './checks/stored/ssti-stored.ts';

const street = { location: 'json' as const, name: '/street', value: 'Meadow Lane' };
const item: InventoryItem = {
  method: 'PATCH',
  url: 'http://shop.test/addresses/alice@shop.test',
  parameters: [street],
  body: { type: 'application/json', text: '{"street":"Meadow Lane"}' },
  seenAs: 'alice',
  contentType: 'application/json',
};
const known = { inventory: [item], accounts: twoAccounts };
const refusal: Given = { status: 403, body: '{"error":"not yours"}' };

describe('a change by another account', () => {
  const before = { body: '{"street":"Meadow Lane"}' };
  const verdict = (changes: Record<string, Given>) =>
    judge(
      change,
      { subject: item, variant: { parameter: street, before: 'Meadow Lane' } },
      {
        before,
        nobody: { status: 401 },
        refused: before,
        change: { status: 204 },
        after: { body: `{"street":"${nonce.word}"}` },
        ...changes,
      },
    );

  it('is proved by what the owner is shown after it, and not by a change of nobody', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ after: before }), 'REFUTED');
    assert.equal(verdict({ refused: { body: `{"street":"${nonce.word}n"}` } }), 'REFUTED');
    assert.equal(verdict({ before: { body: '{"street":"x"}' } }), 'REFUTED');
    assert.equal(verdict({ after: undefined }), 'VOID');
    assert.equal(verdict({ nobody: { isUnanswered: true } }), 'PROVED', 'the next request shows its effect');
    assert.equal(verdict({ nobody: undefined }), 'VOID');
  });

  it('is tried only on what an account of the run has by its name', () => {
    assert.ok(change.appliesTo(item, known));
    assert.ok(!change.appliesTo({ ...item, url: 'http://shop.test/addresses/17' }, known));
    assert.ok(!change.appliesTo({ ...item, method: 'POST' }, known));
    assert.ok(!change.appliesTo(item, { ...known, accounts: twoAccounts.slice(0, 1) }));
  });

  it('is taken back by the owner', () => {
    const plan = change.proof.plan(item, { parameter: street, before: 'Meadow Lane' }, nonce, known);
    const { change: made, as, request } = plan?.back ?? {};
    assert.deepEqual([made?.isCleanUp, as, request?.body], [true, undefined, '{"street":"Meadow Lane"}']);
  });
});

describe('a change of what another account has created', () => {
  const subject = {
    ...item,
    method: 'POST' as const,
    url: 'http://shop.test/notes',
    effect: 'changes' as const,
  };
  const note = (street: string, more: object = {}) => ({ body: JSON.stringify({ street, ...more }) });
  const { word } = nonce;
  const verdict = (changes: Record<string, Given>, isListed = false) =>
    judge(
      created,
      { subject, variant: { method: 'PATCH', isListed, as: 'bob' } },
      {
        created: { status: 201 },
        before: note(`${word}a`),
        other: { status: 404 },
        nobody: { status: 401 },
        stayed: note(`${word}a`),
        change: { status: 200 },
        after: note(word),
        ...changes,
      },
    );

  it('is proved by what its owner reads after it, and not by a change of nobody', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ after: note(`${word}a`) }), 'REFUTED');
    assert.equal(verdict({ stayed: note(`${word}n`) }), 'REFUTED');
    assert.equal(verdict({ before: note('x') }), 'REFUTED');
    assert.equal(verdict({ nobody: undefined }), 'VOID');
    assert.equal(verdict({ after: undefined }), 'VOID');
  });

  it('is no flaw where nothing shows that the object is private', () => {
    const open = { other: note(`${word}a`) };
    assert.equal(verdict(open), 'REFUTED');
    assert.equal(verdict({ ...open, before: note(`${word}a`, { author: 'alice@shop.test' }) }), 'REFUTED');
    assert.equal(verdict({ ...open, before: note(`${word}a`, { owner: 'alice@shop.test' }) }), 'PROVED');
    const lists = (others: string) => ({ ownList: note(`${word}a`), otherList: note(others) });
    assert.equal(verdict({ ...open, ...lists('other notes') }, true), 'PROVED');
    assert.equal(verdict({ ...open, ...lists(`${word}a`) }, true), 'REFUTED');
    assert.equal(verdict({ ...open, ...lists('other notes'), otherList: { status: 500 } }, true), 'REFUTED');
  });

  it('is not tried as an account that opens pages of the staff', () => {
    const inventory = [subject];
    assert.ok(created.appliesTo(subject, { ...known, inventory }));
    const url = 'http://shop.test/admin/users';
    const seen = { ...item, method: 'GET' as const, url, seenAs: 'bob' };
    const refused = [{ as: 'alice', url }];
    assert.ok(!created.appliesTo(subject, { ...known, inventory: [subject, seen], refused }));
  });
});

describe('a field that decides over rights, when something is made', () => {
  const variant = { field: 'credit', before: 0 };
  const shown = (credit: unknown) => ({ body: JSON.stringify({ nick: 'x', credit }) });
  const verdict = (first: Given, second: Given) =>
    judge(made, { subject: item, variant }, { usual: { status: 201 }, first, added: { status: 201 }, second });

  it('is written where what was made shows it, and did not without it', () => {
    assert.equal(verdict(shown(0), shown(nonce.numbers[0])), 'PROVED');
    assert.equal(verdict(shown(nonce.numbers[0]), shown(nonce.numbers[0])), 'REFUTED');
    assert.equal(verdict(shown(0), shown(0)), 'REFUTED');
    assert.equal(verdict(shown(0), undefined), 'VOID');
  });
});

describe('an amount below zero', () => {
  const { some, more } = { some: 2 + (nonce.numbers[0] % 3), more: 5 + (nonce.numbers[0] % 4) };
  const basket = (quantity: number, total: number) => ({ body: JSON.stringify({ quantity, total }) });
  const verdict = (changes: Record<string, Given>) =>
    judge(
      amount,
      { subject: { item, parameter: street }, variant: null },
      {
        some: basket(some, some * 12),
        more: basket(more, more * 12),
        fewer: basket(-some, -some * 12),
        ...changes,
      },
    );

  it('is proved by a price that it has, and not by an echo or a refusal', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ fewer: refusal }), 'REFUTED');
    assert.equal(verdict({ fewer: basket(-some, 0) }), 'REFUTED');
    assert.equal(verdict({ more: basket(more, some * 12) }), 'REFUTED');
    assert.equal(verdict({ some: { body: `{"quantity":${some}}` } }), 'REFUTED');
    assert.equal(verdict({ more: undefined }), 'VOID');
  });
});

describe('a file that was put', () => {
  const content = `${nonce.word} was here, ${nonce.numbers.join(' ')}\n`;
  const verdict = (before: Given, after: Given) =>
    judge(put, { subject: item, variant: null }, { before, put: { status: 201 }, after });

  it('is one that everybody is shown as it was sent, and that was not there before', () => {
    assert.equal(verdict({ status: 404 }, { body: content }), 'PROVED');
    assert.equal(verdict({ body: content }, { body: content }), 'REFUTED');
    assert.equal(verdict({ status: 404 }, { status: 404, body: content }), 'REFUTED');
    assert.equal(verdict({ status: 404 }, { body: 'Welcome' }), 'REFUTED');
    assert.equal(verdict({ status: 404 }, undefined), 'VOID');
  });
});

describe('a document of GraphQL without a limit', () => {
  const answered = (count: number) =>
    JSON.stringify({ data: Object.fromEntries(Array.from({ length: count }, (_, n) => [nonce.word + n, 'Query'])) });
  const verdict = (one: string, many: string, wrong: string) =>
    judge(
      limit,
      { subject: { origin: 'http://shop.test' }, variant: 'http://shop.test/graphql' },
      {
        one: { body: one },
        many: { body: many },
        wrong: { body: wrong },
      },
    );
  const error = '{"errors":[{"message":"no such field"}]}';

  it('is answered as often as it asks, and still read', () => {
    assert.equal(verdict(answered(1), answered(200), error), 'PROVED');
    assert.equal(verdict(answered(1), error, error), 'REFUTED');
    assert.equal(verdict(answered(1), answered(100), error), 'REFUTED');
    assert.equal(verdict(answered(1), answered(200), answered(200)), 'REFUTED');
    assert.equal(verdict(error, answered(200), error), 'REFUTED');
  });
});

describe('a template that was kept', () => {
  const [a, b] = nonce.numbers;
  const computed = `{"text":"${nonce.word.slice(0, 7)}${a * b}t${nonce.word.slice(7)}"}`;
  const variant = { parameter: street, template: { open: '{{', close: '}}' } };
  const verdict = (shown: Given, plain: Given) =>
    judge(template, { subject: item, variant }, { attack: {}, shown, control: {}, plain });

  it('is computed where it is shown, and the product without its marks is not', () => {
    assert.equal(verdict({ body: computed }, { body: '{"text":"1*2"}' }), 'PROVED');
    assert.equal(verdict({ body: computed }, { body: computed }), 'REFUTED');
    assert.equal(verdict({ body: '{"text":"{{1*2}}"}' }, { body: '{"text":"1*2"}' }), 'REFUTED');
    assert.equal(verdict({ body: computed }, undefined), 'VOID');
  });
});
