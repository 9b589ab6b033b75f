import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Given, judge, nonce, observed } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import functions from './checks/access/bfla-read.ts';
import excessive from './checks/access/excessive-data-exposure.ts';
import objects from './checks/access/idor-read.ts';
import assignment from './checks/access/mass-assignment.ts';
import authentication from './checks/access/missing-authentication.ts';
import listed from './checks/access/user-list-disclosure.ts';
import type { Asking } from './define-active-check.ts';
import { createRunMemory } from './run-memory.ts';

const item = (changes: Partial<InventoryItem> = {}): InventoryItem => ({
  method: 'GET',
  url: 'http://shop.test/orders/17',
  parameters: [{ location: 'path', name: '1', value: '17' }],
  seenAs: 'alice',
  contentType: 'application/json',
  ...changes,
});
const refusal = { status: 401, body: 'log in first' };
const nothing = { status: 404, body: 'no such order' };
const ofAlice = { body: '{"for":"alice@shop.test","tea":"Assam"}' };
const ofBob = { body: '{"for":"bob@shop.test","tea":"Sencha"}' };

describe('what belongs to an account and is answered to everybody', () => {
  const answers = {
    nobody: ofAlice,
    elsewhere: nothing,
    owner: ofAlice,
  };
  const verdict = (changes: Record<string, Given>) =>
    judge(authentication, { subject: item(), variant: { kind: 'of an account' } }, { ...answers, ...changes });

  it('is proved by the address of the account in an answer to nobody', () => {
    assert.equal(verdict({}), 'PROVED');
  });

  it('is not proved by a status, by a page for everything, nor without an answer', () => {
    assert.equal(verdict({ nobody: { body: '{"error":"log in first"}' } }), 'REFUTED');
    assert.equal(verdict({ nobody: { ...ofAlice, status: 403 } }), 'REFUTED');
    assert.equal(verdict({ elsewhere: ofAlice }), 'REFUTED');
    assert.equal(verdict({ owner: undefined }), 'VOID');
    assert.equal(verdict({ nobody: { status: 429 } }), 'VOID');
  });

  it('is likely when the answers are the same and hold what people keep to themselves, and is not when public', () => {
    const same = (body: string) => verdict({ nobody: { body }, owner: { body } });
    assert.equal(same('{"phone":"030 123"}'), 'LIKELY');
    assert.equal(same('{"tea":"Assam"}'), 'REFUTED');
    assert.equal(same('{"phone":""}'), 'REFUTED');
    const headers = { 'last-modified': 'Tue, 17 Nov 2026 19:59:22 GMT' };
    const translations = { headers, body: '{"phone":"Phone number"}' };
    assert.equal(verdict({ nobody: translations, owner: translations }), 'REFUTED');
  });

  it('is looked for only where an account alone has met the request', () => {
    const known = { inventory: [], accounts: [] };
    assert.ok(authentication.appliesTo(item(), known));
    assert.ok(!authentication.appliesTo(item({ seenAs: null }), known));
    assert.ok(!authentication.appliesTo(item({ method: 'POST' }), known));
    const sightings = [{ as: null, url: item().url, status: 200 }];
    assert.ok(!authentication.appliesTo(item({ sightings }), known));
    assert.ok(!authentication.appliesTo(item(), { ...known, refused: [{ as: null, url: item().url }] }));
    assert.ok(!authentication.appliesTo(item({ hints: [] }), known));
    assert.ok(authentication.appliesTo(item({ hints: ['private'] }), known));
  });

  it('is proved by a record about an account that everybody reads, whoever has met it', () => {
    const about = (body: string, elsewhere: Given = nothing) =>
      judge(
        authentication,
        { subject: item({ seenAs: null }), variant: { kind: 'about an account' } },
        { nobody: { body }, elsewhere },
      );
    assert.equal(about('{"all":[{"name":"alice@shop.test","phone":"030 123"}]}'), 'PROVED');
    assert.equal(about('{"all":[{"name":"alice@shop.test"},{"phone":"030 123"}]}'), 'REFUTED');
    assert.equal(about('{"all":[{"name":"heidi","phone":"030 123"}]}'), 'REFUTED');
    const record = '{"all":[{"name":"alice@shop.test","phone":"030 123"}]}';
    assert.equal(about(record, { body: record }), 'REFUTED');
  });

  it('is likely for a page beside others that are refused, and is not for one where people log in', async () => {
    const forFew = (changes: Record<string, Given>) =>
      judge(
        authentication,
        {
          subject: item({ seenAs: null, contentType: 'text/html' }),
          variant: { kind: 'for few', closed: 'http://shop.test/admin/logs' },
        },
        {
          nobody: { body: 'Turnover of the year' },
          elsewhere: nothing,
          closed: refusal,
          ...changes,
        },
      );
    assert.equal(forFew({}), 'LIKELY');
    assert.equal(forFew({ nobody: { body: '<input type="password">' } }), 'REFUTED');
    assert.equal(forFew({ closed: { body: 'Figures' } }), 'REFUTED');
    assert.equal(forFew({ elsewhere: { body: 'Turnover of the year' } }), 'REFUTED');
    const page = item({ seenAs: null, contentType: 'text/html', url: 'http://shop.test/admin/reports' });
    const knownWith = (refused: string) => ({ inventory: [], accounts: [], refused: [{ as: null, url: refused }] });
    const applies = (refused: string) => authentication.appliesTo(page, knownWith(refused));
    assert.ok(applies('http://shop.test/admin/logs'));
    assert.ok(!applies('http://shop.test/office/logs'));
    const asking = { known: knownWith('http://shop.test/admin/logs'), memory: createRunMemory() };
    const ask = async () => observed({ body: 'Turnover of the year' });
    assert.deepEqual(await authentication.probe?.(page, nonce, { ...asking, ask } as unknown as Asking), [
      { kind: 'for few', closed: 'http://shop.test/admin/logs' },
    ]);
  });
});

describe('what belongs to another account', () => {
  const ownOrder = { as: 'bob', url: 'http://shop.test/orders/18', status: 200 };
  const subject = item({ sightings: [ownOrder] });
  const answers = { nobody: refusal, other: ofAlice, own: ofBob, missing: nothing, owner: ofAlice };
  const verdict = (changes: Record<string, Given>) =>
    judge(objects, { subject, variant: 0 }, { ...answers, ...changes });

  it('is proved to be read by the address of its owner, with all controls', () => {
    assert.equal(verdict({}), 'PROVED');
  });

  it('is refuted by each control that fails', () => {
    assert.equal(verdict({ nobody: ofAlice }), 'REFUTED');
    assert.equal(verdict({ other: { body: '{"error":"not yours"}' } }), 'REFUTED');
    assert.equal(verdict({ other: { ...ofAlice, status: 403 } }), 'REFUTED');
    assert.equal(verdict({ other: ofBob }), 'REFUTED');
    assert.equal(verdict({ missing: ofAlice }), 'REFUTED');
    assert.equal(verdict({ own: ofAlice }), 'REFUTED');
    assert.equal(verdict({ missing: undefined }), 'VOID');
  });

  it('is undecided if the other account gets a part of it, as after a fix that masks one field', () => {
    const owner = { body: '{"for":"alice@shop.test","to":"1 Meadow Lane","tea":"Assam"}' };
    const masked = { body: '{"for":"alice@shop.test","to":"***","tea":"Assam"}' };
    assert.equal(verdict({ owner, other: masked }), 'VOID');
    assert.equal(verdict({ owner, other: { body: '{"for":"***","to":"***","tea":"***"}' } }), 'REFUTED');
    // What its own order shows as well is no part of that of another account.
    assert.equal(verdict({ owner, other: masked, own: masked }), 'REFUTED');
    const page = (text: string) => ({ body: `<h1>Order</h1>\n<p>${text}</p>\n<p>Ridge tent</p>`, headers: {} });
    assert.equal(verdict({ owner: page('1 Meadow Lane'), other: page('hidden') }), 'VOID');
  });

  it('is only likely without a thing of its own, and by a name that may be shown to all', () => {
    assert.equal(verdict({ own: undefined }), 'VOID', 'there is one, but it could not be requested');
    assert.equal(judge(objects, { subject: item(), variant: 0 }, { ...answers, own: undefined }), 'LIKELY');
    const both = (subject: InventoryItem, body: string) =>
      judge(objects, { subject, variant: 0 }, { ...answers, other: { body }, owner: { body } });
    const tea = item({ url: 'http://shop.test/teas/17', sightings: [ownOrder] });
    assert.equal(both(tea, '{"by":"alice","tea":"Assam"}'), 'REFUTED');
    assert.equal(both(tea, '{"by":"alice","secret":"Assam"}'), 'PROVED');
    assert.equal(both(subject, '{"by":"alice","tea":"Assam"}'), 'PROVED');
  });

  it('is read where pages say who is logged in', () => {
    const page = (user: string) => ({ body: `Log out ${user}. Order for alice: Assam`, headers: {} });
    const asBoth = { other: page('bob'), owner: page('alice') };
    const known = {
      accounts: ['alice', 'bob'].map((name) => ({ name, marks: [`${name}@shop.test`, name], user: name })),
    };
    assert.equal(judge(objects, { subject, variant: 0, known }, { ...answers, ...asBoth }), 'PROVED');
  });

  it('may be asked for by the name of its owner, and is compared with what that of the other gives', () => {
    const accounts = ['alice', 'bob'].map((name) => ({ name, marks: [], user: name }));
    const known = { inventory: [], accounts };
    const box = (value: string) => [{ location: 'query' as const, name: 'box', value }];
    const url = 'http://shop.test/messages';
    const sightings = ['alice', 'bob'].map((as) => ({ as, url, status: 200 }));
    assert.ok(objects.appliesTo(item({ url, parameters: box('alice'), sightings }), known));
    assert.ok(!objects.appliesTo(item({ url, parameters: box('tea'), sightings }), known));
    const plan = objects.proof.plan(item({ url, parameters: box('alice'), sightings }), 0, nonce, known);
    assert.equal(plan?.own?.request.url, `${url}?box=bob`);
  });

  it('is not looked for when the other account has met it as well, nor where nothing is named', () => {
    const accounts = ['alice', 'bob'].map((name) => ({ name, marks: [] }));
    const known = { inventory: [], accounts };
    assert.ok(objects.appliesTo(item(), known));
    assert.ok(!objects.appliesTo(item({ sightings: [{ as: 'bob', url: item().url, status: 200 }] }), known));
    assert.ok(!objects.appliesTo(item({ parameters: [] }), known));
    assert.ok(!objects.appliesTo(item(), { inventory: [], accounts: accounts.slice(0, 1) }));
  });
});

describe('what only administrators are shown', () => {
  const answers = {
    nobody: refusal,
    low: { body: '[{"email":"alice@shop.test"},{"email":"bob@shop.test"}]' },
    elsewhere: nothing,
    high: { body: '[{"email":"alice@shop.test"},{"email":"bob@shop.test"}]' },
  };
  const admin = item({ url: 'http://shop.test/admin/users', parameters: [] });
  const verdict = (changes: Record<string, Given>) =>
    judge(functions, { subject: admin, variant: { as: 'bob' } }, { ...answers, ...changes });

  it('is proved to be reached by the address of somebody else in it, with all controls', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ nobody: answers.high }), 'REFUTED');
    assert.equal(verdict({ elsewhere: answers.high }), 'REFUTED');
    assert.equal(verdict({ low: { body: '{"error":"not for you"}' } }), 'REFUTED');
    assert.equal(verdict({ high: undefined }), 'VOID');
  });

  it('is no more than likely without data of others, and not at all when the page is empty', () => {
    const both = (body: string) => verdict({ low: { body }, high: { body } });
    assert.equal(both('{"apiKey":"k-1"}'), 'LIKELY');
    assert.equal(both('<h1>Administration</h1>'), 'REFUTED');
  });

  it('is asked for only as an account that has met nothing of the kind', () => {
    const accounts = ['alice', 'bob'].map((name) => ({ name, marks: [] }));
    assert.ok(functions.appliesTo(admin, { inventory: [admin], accounts }));
    const another = item({ url: 'http://shop.test/admin/', seenAs: 'bob' });
    assert.ok(!functions.appliesTo(admin, { inventory: [admin, another], accounts }));
    assert.ok(!functions.appliesTo(item(), { inventory: [], accounts }));
  });
});

describe('a list of all accounts', () => {
  const names = ['alice', 'bob', 'carol', 'dan', 'erin', 'frank', 'grace'];
  const listing = (fields: object, count = names.length) => ({
    body: JSON.stringify({ data: names.slice(0, count).map((name) => ({ email: `${name}@shop.test`, ...fields })) }),
  });
  const whole = listing({ role: 'customer' });
  const verdict = (changes: Record<string, Given>) =>
    judge(
      listed,
      { subject: item({ url: 'http://shop.test/api/users', parameters: [] }), variant: 'list' },
      {
        nobody: refusal,
        one: whole,
        other: whole,
        ...changes,
      },
    );

  it('is likely to be meant for others where two accounts read each other in it, and nobody else', () => {
    assert.equal(verdict({}), 'LIKELY');
    assert.equal(verdict({ nobody: whole }), 'REFUTED');
    assert.equal(verdict({ other: ofBob }), 'REFUTED');
    assert.equal(verdict({ other: undefined }), 'VOID');
  });

  it('is none of a few people, nor without what only those need who look after accounts', () => {
    const both = (list: Given) => verdict({ one: list, other: list });
    assert.equal(both(listing({ role: 'customer' }, 4)), 'REFUTED');
    assert.equal(both(listing({ nickname: 'tea' })), 'REFUTED');
  });
});

describe('an answer with secrets', () => {
  const verdict = (body: string, elsewhere: Given = nothing) =>
    judge(excessive, { subject: item(), variant: ['password'] }, { answer: { body }, elsewhere });
  const digest = 'd41d8cd98f00b204e9800998ecf8427e';

  it('is proved by what looks like nothing else', () => {
    assert.equal(verdict(`[{"passwordHash":"${digest}"}]`), 'PROVED');
    assert.equal(verdict('{"key":"-----BEGIN RSA PRIVATE KEY-----\\nMII"}'), 'PROVED');
    assert.equal(verdict('{"user":{"cardNumber":"4242 4242 4242 4242"}}'), 'PROVED');
  });

  it('is not kept: the finding names its fields', () => {
    const plan = excessive.proof.plan(item(), ['password'], nonce, { accounts: [] });
    assert.equal(plan?.answer.answer.isConfidential, true);
    assert.match(excessive.describe?.(['password', 'card'])?.why ?? '', /Affected fields: password, card\.$/);
  });

  it('is likely by its name, and is none when masked, public, or answered to anything', () => {
    assert.equal(verdict('{"password":"Summer24"}'), 'LIKELY');
    assert.equal(verdict('{"password":"*****"}'), 'REFUTED');
    assert.equal(verdict('{"cardNumber":"4242 4242 4242 4241"}'), 'REFUTED');
    assert.equal(verdict(`{"etag":"${digest}"}`), 'REFUTED');
    assert.equal(verdict(`<p>"password":"${digest}"</p>`), 'REFUTED');
    assert.equal(verdict(`{"password":"${digest}"}`, { body: `{"password":"${digest}"}` }), 'REFUTED');
  });
});

describe('a field that is not meant to be written', () => {
  const variant = { field: 'role', before: 'customer' };
  const profile = (role: string) => ({ body: JSON.stringify({ data: { name: 'Alice', role } }) });
  const verdict = (changes: Record<string, Given>) =>
    judge(
      assignment,
      { subject: item({ method: 'PATCH' }), variant },
      {
        first: profile('customer'),
        usual: { isUnanswered: true },
        second: profile('customer'),
        added: profile('admin'),
        third: profile('admin'),
        ...changes,
      },
    );

  it('is proved to be written by what is there afterwards', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ third: profile('customer') }), 'REFUTED');
    assert.equal(verdict({ second: profile('admin') }), 'REFUTED');
    assert.equal(verdict({ first: profile('admin') }), 'REFUTED');
    assert.equal(verdict({ third: undefined }), 'VOID');
    assert.equal(verdict({ usual: undefined }), 'VOID');
  });

  it('is put back as it was, whatever happens before', () => {
    const body = { type: 'application/json', text: '{"name":"Alice"}' };
    const known = { inventory: [], accounts: [] };
    const plan = assignment.proof.plan(item({ method: 'PATCH', body }), variant, nonce, known);
    assert.equal(Object.keys(plan ?? {}).at(-1), 'back');
    assert.ok(plan?.back?.change?.isCleanUp);
    assert.equal(plan.back.request.body, '{"name":"Alice","role":"customer"}');
    assert.equal(plan.added.request.body, '{"name":"Alice","role":"admin"}');
  });
});
