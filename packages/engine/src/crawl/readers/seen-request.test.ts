import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestOf } from '../requests/write-request.ts';
import { itemOfRequest } from './seen-request.ts';

const seen = { as: 'alice', status: 200, contentType: 'application/json' };
const itemOf = (type: string, body: string | Uint8Array, method = 'POST') =>
  itemOfRequest({ method, url: 'http://shop.test/api/orders?x=1#top', headers: [['content-type', type]], body }, seen);
const points = (type: string, body: string) =>
  itemOf(type, body)?.parameters.map(({ location, name, value, idOf }) =>
    [location, name, value, idOf ?? ''].join(' ').trim(),
  );

describe('a request that a page has made', () => {
  it('is kept as it was made, with who has seen it', () => {
    const body = '{ "note" : "hi" }';
    const item = itemOf('application/json', body);
    assert.ok(item);
    assert.equal(requestOf(item).body, body);
    assert.deepEqual([item.url, item.effect, item.source], ['http://shop.test/api/orders?x=1', 'changes', 'browser']);
    assert.deepEqual(item.sightings, [{ as: 'alice', url: 'http://shop.test/api/orders?x=1', status: 200 }]);
  });

  it('to GraphQL does what its fields say', () => {
    const effectOf = (query: string) => itemOf('application/json', JSON.stringify({ query }))?.effect;
    assert.equal(effectOf('query CreateOrderPage { products { name } }'), 'reads');
    assert.equal(effectOf('query Page { products { name } all: deleteAllCarts }'), 'endangers');
    assert.equal(effectOf('{ addToCart(id: 1) }'), 'changes');
    assert.equal(effectOf('mutation { setNick(nick: "x") }'), 'changes');
    assert.equal(effectOf('mutation Refresh { deleteAllCarts }'), 'endangers');
    assert.equal(effectOf('mutation TicketDialog { openTicket(text: "x") { id } }'), 'changes');
  });

  it('to GraphQL is dangerous if the name of the mutation says so, or if its fields are in a fragment', () => {
    const effectOf = (query: string) => itemOf('application/json', JSON.stringify({ query }))?.effect;
    assert.equal(effectOf('mutation DeleteAccount { execute(kind: 3) }'), 'endangers');
    const hidden = 'fragment All on Mutation { execute(kind: 3) }';
    assert.equal(effectOf(`mutation Refresh { ...All } ${hidden}`), 'endangers');
    assert.equal(effectOf('mutation Refresh { addNote(text: "x") { id } ... on Mutation { execute } }'), 'endangers');
    assert.equal(effectOf('query Page { ...All } fragment All on Query { products { name } }'), 'reads');
  });

  it('to GraphQL edits what an ID in its document names', () => {
    const sent = (query: string) => itemOf('application/json', JSON.stringify({ query }));
    assert.equal(sent('mutation Refresh { updateUser(id: 5, name: "x") { id } }')?.edits, true);
    assert.equal(
      sent('mutation M { addNote(text: "x") { id } updateUser(name: "x") }')?.operation,
      'mutation addNote/updateUser',
    );
    assert.equal(sent('mutation Refresh { addNote(text: "x") { id } }')?.edits, undefined);
  });

  it('has points in every kind of body', () => {
    assert.deepEqual(points('application/json', '{"id":7,"a":{"userId":"u"}}'), [
      'query x 1',
      'json /id 7 order',
      'json /a/userId u user',
    ]);
    assert.deepEqual(points('application/soap+xml', '<s:a xmlns:s="urn:s"><orderId>7</orderId><b c="1"/></s:a>'), [
      'query x 1',
      'xml /s:a/orderId 7 order',
      'xml /s:a/b/@c 1',
    ]);
    assert.deepEqual(points('application/x-www-form-urlencoded', 'a=1&b=%20'), ['query x 1', 'form a 1', 'form b']);
    const parts =
      '--B\r\nContent-Disposition: form-data; name="t"\r\n\r\nhi\r\n--B\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nbody\r\n--B--\r\n';
    assert.deepEqual(points('multipart/form-data; boundary=B', parts), [
      'query x 1',
      'multipart t hi',
      'multipart f body',
      'fileName f a.txt',
    ]);
  });

  it('of GraphQL reads or changes by its operation', () => {
    const asked = (query: string) => itemOf('application/json', JSON.stringify({ query, variables: { a: 1 } }));
    assert.deepEqual([asked('{ me { id } }')?.operation, asked('{ me { id } }')?.effect], ['query me', 'reads']);
    const changing = asked('mutation Save($a: Int) { save(a: $a) }');
    assert.deepEqual([changing?.operation, changing?.effect], ['mutation save', 'changes']);
    assert.equal(asked('mutation { deleteAll }')?.effect, 'endangers');
  });

  it('is kept without what is no text or too long, and not at all with an odd method', () => {
    assert.equal(itemOf('image/png', Buffer.from([0xff, 0xfe, 0x00]))?.body, undefined);
    assert.equal(itemOf('application/json', `"${'x'.repeat(30_000)}"`)?.body, undefined);
    assert.equal(itemOf('text/plain', '', 'BREW'), undefined);
  });
});
