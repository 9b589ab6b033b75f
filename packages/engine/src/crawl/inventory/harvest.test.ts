import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHarvest, harvestJson, harvestLogin, harvestUrl, kindOfId } from './harvest.ts';

describe('an id', () => {
  it('is known by its name, or by the place where it is', () => {
    const kinds: [name: string, place: string, kind: string | undefined][] = [
      ['orderId', 'x', 'order'],
      ['order_id', 'x', 'order'],
      ['userIds', 'x', 'user'],
      ['id', 'orders', 'order'],
      ['id', 'categories', 'category'],
      ['uuid', 'boxes', 'box'],
      ['id', 'status', 'status'],
      ['id', '', undefined],
      ['name', 'orders', undefined],
    ];
    for (const [name, place, kind] of kinds) assert.equal(kindOfId(name, place), kind, `${name} ${place}`);
  });

  it('is taken from answers, for whom it was given to', () => {
    const harvest = createHarvest();
    const json = { data: { orders: [{ id: 7, customer: { id: 'c-9' }, productId: 'p1' }] }, id: 3 };
    harvestJson(harvest, 'alice', 'http://shop.test/api/me', json);
    assert.equal(harvest.pick('alice', 'order'), '7');
    assert.equal(harvest.pick('alice', 'customer'), 'c-9');
    assert.equal(harvest.pick('alice', 'product'), 'p1');
    assert.equal(harvest.pick('alice', 'me'), '3');
    assert.equal(harvest.pick('bob', 'order'), undefined);
  });

  it('that a login names is the account’s own, also where its name is shortened, and comes before others of the kind', () => {
    const harvest = createHarvest();
    harvestLogin(harvest, 'alice', { authentication: { token: 'x', bid: 6 } });
    harvestLogin(harvest, 'alice', { data: { id: 23, email: 'alice@shop.test' } });
    harvestJson(harvest, 'alice', 'http://shop.test/api/items', [{ id: 1, basketId: 1, userId: 1, basketItemId: 3 }]);
    assert.deepEqual(
      ['basket', 'user', 'item', 'basketitem'].map((kind) => harvest.pick('alice', kind)),
      ['6', '23', '1', '3'],
    );
    assert.equal(harvest.pick('bob', 'basket'), undefined);
  });

  it('of a thing that says it belongs to the account is its own, however far down in a list of all', () => {
    const harvest = createHarvest();
    harvestLogin(harvest, 'alice', { id: 23 });
    const cards = Array.from({ length: 30 }, (_, n) => ({ id: n, UserId: n, orderId: n + 100 }));
    harvestJson(harvest, 'alice', 'http://shop.test/api/cards', { data: cards });
    harvestJson(harvest, 'bob', 'http://shop.test/api/cards', { data: cards });
    assert.deepEqual([harvest.pick('alice', 'card'), harvest.ownOf('alice', 'card')], ['23', '23']);
    assert.deepEqual([harvest.pick('bob', 'card'), harvest.ownOf('bob', 'card')], ['0', undefined]);
    assert.equal(harvest.ownOf('alice', 'order'), undefined);
  });

  it('is the number of a thing that has no other', () => {
    const harvest = createHarvest();
    harvestJson(harvest, 'bob', 'http://shop.test/api/invoices', { invoices: [{ number: 502, total: 50 }] });
    assert.equal(harvest.pick('bob', 'invoice'), '502');
  });

  it('is no example in a description of the API', () => {
    const harvest = createHarvest();
    const example = { name: 'id', in: 'path', schema: { example: '501' } };
    const paths = { '/invoices/{id}': { get: { parameters: [example] } } };
    harvestJson(harvest, 'bob', 'http://shop.test/openapi.json', { openapi: '3.1.0', paths });
    assert.deepEqual(harvest.all(), []);
  });

  it('and its names are taken for one visitor as for another, however much the first has seen', () => {
    const harvest = createHarvest();
    const many = Array.from({ length: 500 }, (_, n) => [`value${n}`, `v${n}`]);
    harvestJson(harvest, 'alice', 'http://shop.test/api/settings', Object.fromEntries(many));
    harvestJson(harvest, 'bob', 'http://shop.test/api/users', [{ username: 'bob' }]);
    assert.deepEqual(harvest.candidates('bob', { name: 'username', place: 'user' }), ['bob']);
  });

  it('is taken from addresses; what everybody sees serves for all', () => {
    const harvest = createHarvest();
    const covered = (url: string) => url.startsWith('http://shop.test');
    harvestUrl(harvest, null, 'http://shop.test/shops/4/products/12?user_id=5', covered);
    harvestUrl(harvest, null, 'http://other.test/bills/12', covered);
    assert.deepEqual(
      ['shop', 'product', 'user', 'bill'].map((kind) => harvest.pick('alice', kind)),
      ['4', '12', '5', undefined],
    );
  });

  it('is kept in bounds, also over a restart', () => {
    const harvest = createHarvest();
    for (let n = 0; n < 5_000; n++) harvest.learn(null, `kind${n % 1_000}`, String(n));
    harvest.learn(null, 'long', 'x'.repeat(1_000));
    assert.ok(harvest.all().length <= 500 && JSON.stringify(harvest.all()).length < 100_000);
    assert.deepEqual(createHarvest(harvest.all()).pick(null, 'kind1'), harvest.pick(null, 'kind1'));
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`a${n}Id`, n]));
    harvestJson(harvest, null, 'http://shop.test/', wide);
  });
});

describe('a value for a parameter', () => {
  const harvest = createHarvest();
  harvest.learnName('alice', 'user', 'username', 'alice01', true);
  harvestJson(harvest, 'alice', 'http://shop.test/users', [
    { id: 4, username: 'bob', password_hash: 'x', email: 'bob@shop.test' },
    { id: 5, username: 'carol' },
  ]);
  harvestJson(harvest, 'alice', 'http://shop.test/cards', [{ id: 'c1', number: '4111111111111111', cardNumber: '42' }]);
  harvestJson(harvest, 'alice', 'http://shop.test/products', { data: [{ id: 9, name: 'Assam', category: 'black' }] });
  const of = (name: string | undefined, place: string, idOf?: string) =>
    harvest.candidates('alice', { name, place, idOf });

  it('is the account’s own before those of others, and an exact name before a similar one', () => {
    assert.deepEqual(of('username', 'user', 'user').slice(0, 3), ['alice01', 'bob', 'carol']);
    assert.deepEqual(of('user_name', 'user')[0], 'alice01');
    assert.deepEqual(harvest.ownNames('alice', 'userName'), ['alice01']);
    assert.deepEqual(of('productName', 'order'), ['Assam']);
    assert.deepEqual(of('category', 'search'), ['black']);
  });

  it('is no number of a thing where its id is asked for, and the other way round', () => {
    assert.deepEqual(of(undefined, 'card', 'card'), ['c1']);
    assert.equal(harvest.pick('alice', 'card'), 'c1');
    assert.deepEqual(of('cardNumber', 'payment'), ['42', '4111111111111111']);
    assert.deepEqual(of('name', 'card'), []);
  });

  it('is no secret of another user, and is kept within limits', () => {
    assert.ok(!JSON.stringify(harvest.all()).includes('hash'));
    const many = createHarvest();
    for (let n = 0; n < 5_000; n++) many.learnName(null, 'thing', `name${n}`, String(n));
    assert.ok(many.all().length <= 500);
    const again = createHarvest(many.all());
    again.learnName(null, 'thing', 'another', 'x');
    assert.equal(again.all().length, many.all().length);
  });
});
