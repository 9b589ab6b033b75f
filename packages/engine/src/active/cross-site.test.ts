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
  const foreign = "cross-origin request with the account's cookies";
  const inBrowser = 'page of another origin that reads the response, in a browser';
  const verdict = (changes: Record<string, Given>) =>
    judge(
      cors,
      { subject: { origin: 'http://shop.test' }, variant: { way: 'stranger', item } },
      {
        'as the account, on the site itself': { body },
        [foreign]: { body, headers: allowing() },
        'same request without cookies': { status: 401, body: 'log in first' },
        [inBrowser]: { body, calls: [`${nonce.word}${body}`] },
        ...changes,
      },
    );

  it('is proved by what is shown to the account alone', () => {
    assert.equal(verdict({}), 'PROVED');
  });

  it('is refuted when the browser keeps it back, when no cookie came along, or when all is public', () => {
    const read = (headers: Record<string, string>) => verdict({ [foreign]: { body, headers: allowing(headers) } });
    assert.equal(read({ 'access-control-allow-origin': '*' }), 'REFUTED');
    assert.equal(read({ 'access-control-allow-origin': 'http://shop.test' }), 'REFUTED');
    assert.equal(read({ 'access-control-allow-credentials': 'false' }), 'REFUTED');
    assert.equal(verdict({ [foreign]: { status: 401, body: 'log in first', headers: allowing() } }), 'REFUTED');
    assert.equal(verdict({ 'same request without cookies': { body } }), 'REFUTED');
    assert.equal(verdict({ 'as the account, on the site itself': { status: 401 } }), 'VOID');
  });

  it('is for the browser to decide, and only likely where there is none', () => {
    assert.equal(verdict({ [inBrowser]: { body, calls: [] } }), 'REFUTED');
    assert.equal(verdict({ [inBrowser]: { body, calls: ['something else'] } }), 'REFUTED');
    assert.equal(verdict({ [inBrowser]: undefined }), 'LIKELY');
  });

  it('is only likely when nothing private is in it', () => {
    const tea = '{"tea":"Assam"}';
    const both = {
      'as the account, on the site itself': { body: tea },
      [foreign]: { body: tea, headers: allowing() },
      [inBrowser]: { calls: [`${nonce.word}${tea}`] },
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
  const verdict = (changes: Record<string, Given>) =>
    judge(
      forgery,
      { subject: form, variant },
      {
        'page before the test, as the account': page('Ali'),
        'page after the form without cookies': page('Ali'),
        'page after the form with cookies': page(word),
        'page of another site that submits the form, in a browser': {},
        'page after the form in the browser': page(`${word}b`),
        ...changes,
      },
    );

  it('is proved by what the account sees afterwards, and only then', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ 'page after the form with cookies': page('Ali') }), 'REFUTED');
    assert.equal(verdict({ 'page before the test, as the account': page(word) }), 'REFUTED');
    assert.equal(verdict({ 'page after the form without cookies': page(`${word}n`) }), 'REFUTED');
    assert.equal(verdict({ 'page after the form with cookies': undefined }), 'VOID');
  });

  it('is for the browser to decide, and only likely where there is none', () => {
    assert.equal(verdict({ 'page after the form in the browser': page(word) }), 'REFUTED');
    assert.equal(verdict({ 'page of another site that submits the form, in a browser': undefined }), 'LIKELY');
  });

  it('is sent without the token of the form, as from elsewhere, and is taken back', () => {
    const plan = forgery.proof.plan(form, variant, nonce, { inventory: [], accounts: [] });
    const forged = plan.find(({ label }) => label.includes('with the cookies'));
    assert.equal(forged?.request.body, `nickname=${word}&email=alice%40shop.test`);
    assert.deepEqual(forged?.session?.showing, { isCrossSite: true });
    const last = plan.at(-1);
    assert.ok(last?.change?.isCleanUp);
    assert.equal(last.request.body, 'nickname=Ali&email=alice%40shop.test&csrf_token=f00d');
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
