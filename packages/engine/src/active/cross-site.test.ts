import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Given, judge, nonce } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import cors from './checks/cross-site/cors-credentials.ts';
import forgery from './checks/cross-site/csrf.ts';

const item: InventoryItem = {
  method: 'GET',
  url: 'http://shop.test/me',
  parameters: [],
  seenAs: 'alice',
  contentType: 'application/json',
};

describe('what another site reads', () => {
  const origin = `http://${nonce.word}.example`;
  const allowing = (changes: Record<string, string> = {}) => ({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    ...changes,
  });
  const body = '{"email":"alice@shop.test"}';
  const verdict = (changes: Partial<Record<'account' | 'foreign' | 'nobody' | 'read', Given>>) =>
    judge(
      cors,
      { subject: { origin: 'http://shop.test' }, variant: { way: 'stranger', item } },
      {
        account: { body },
        foreign: { body, headers: allowing() },
        nobody: { status: 401, body: 'log in first' },
        read: { body, calls: [`${nonce.word}${body}`] },
        ...changes,
      },
    );

  it('is proved by what is shown to the account alone', () => {
    assert.equal(verdict({}), 'PROVED');
  });

  it('is refuted when the browser keeps it back, when no cookie came along, or when all is public', () => {
    const read = (headers: Record<string, string>) => verdict({ foreign: { body, headers: allowing(headers) } });
    assert.equal(read({ 'access-control-allow-origin': '*' }), 'REFUTED');
    assert.equal(read({ 'access-control-allow-origin': 'http://shop.test' }), 'REFUTED');
    assert.equal(read({ 'access-control-allow-credentials': 'false' }), 'REFUTED');
    assert.equal(verdict({ foreign: { status: 401, body: 'log in first', headers: allowing() } }), 'REFUTED');
    assert.equal(verdict({ nobody: { body } }), 'REFUTED');
    assert.equal(verdict({ account: { status: 401 } }), 'VOID');
  });

  it('is for the browser to decide, and only likely where there is none', () => {
    assert.equal(verdict({ read: { body, calls: [] } }), 'REFUTED');
    assert.equal(verdict({ read: { body, calls: ['something else'] } }), 'REFUTED');
    assert.equal(verdict({ read: undefined }), 'LIKELY');
    assert.equal(verdict({ read: { isUnanswered: true, calls: [] } }), 'VOID');
  });

  it('is only likely when nothing private is in it', () => {
    const tea = '{"tea":"Assam"}';
    const both = {
      account: { body: tea },
      foreign: { body: tea, headers: allowing() },
      read: { calls: [`${nonce.word}${tea}`] },
    };
    assert.equal(verdict(both), 'LIKELY');
  });
});

describe('what another site changes', () => {
  const { word } = nonce;
  const page = (name: string) => ({ body: `<p>Hello, ${name}</p>` });
  const form: InventoryItem = {
    ...item,
    method: 'POST',
    url: 'http://shop.test/settings',
    parameters: [
      { location: 'form', name: 'nickname', value: 'Ali' },
      { location: 'form', name: 'email', value: 'alice@shop.test' },
      { location: 'form', name: 'csrf_token', value: 'f00d' },
    ],
  };
  const variant = { field: 0, readBack: form.url };
  const verdict = (changes: Partial<Record<'before' | 'unchanged' | 'after' | 'sent' | 'last', Given>>) =>
    judge(
      forgery,
      { subject: form, variant },
      {
        before: page('Ali'),
        anonymous: {},
        unchanged: page('Ali'),
        forged: {},
        after: page(word),
        sent: {},
        last: page(`${word}b`),
        ...changes,
      },
    );

  it('is proved by what the account sees afterwards, and only then', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ after: page('Ali') }), 'REFUTED');
    assert.equal(verdict({ before: page(word) }), 'REFUTED');
    assert.equal(verdict({ unchanged: page(`${word}n`) }), 'REFUTED');
    assert.equal(verdict({ after: undefined }), 'VOID');
  });

  it('is for the browser to decide, and only likely where there is none', () => {
    assert.equal(verdict({ last: page(word) }), 'REFUTED');
    assert.equal(verdict({ sent: undefined }), 'LIKELY');
    assert.equal(verdict({ sent: { isUnanswered: true }, last: page(word) }), 'VOID');
  });

  it('is sent without the token of the form, as from elsewhere, and is taken back', () => {
    const plan = forgery.proof.plan(form, variant, nonce, { accounts: [] });
    const forged = plan?.forged;
    assert.match(forged?.label ?? '', /with the cookies/);
    assert.equal(forged?.request.body, `nickname=${word}&email=alice%40shop.test`);
    assert.deepEqual(forged?.session?.showing, { isCrossSite: true });
    assert.equal(Object.keys(plan ?? {}).at(-1), 'back');
    assert.ok(plan?.back?.change?.isCleanUp);
    assert.equal(plan.back.request.body, 'nickname=Ali&email=alice%40shop.test&csrf_token=f00d');
  });

  it('is never the password or the address of the account', () => {
    const only = (name: string) => ({ ...form, parameters: [{ location: 'form' as const, name, value: 'a' }] });
    const known = { inventory: [], accounts: [] };
    assert.ok(forgery.appliesTo(only('comment'), known));
    for (const name of ['password', 'email', 'username', 'token']) {
      assert.ok(!forgery.appliesTo(only(name), known), name);
    }
  });
});
