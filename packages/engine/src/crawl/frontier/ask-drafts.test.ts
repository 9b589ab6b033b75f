import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { createHarvest } from '../inventory/harvest.ts';
import { createInventory } from '../inventory/inventory.ts';
import { type Described, draftOf } from '../requests/draft.ts';
import { askDrafts } from './ask-drafts.ts';

const ORIGIN = 'https://shop.test';

/** Resolves to what is recorded of described write requests at a target that shows these resources. */
async function noted(described: readonly Omit<Described, 'source'>[], shown: Readonly<Record<string, unknown>> = {}) {
  const inventory = createInventory();
  const harvest = createHarvest([{ as: 'alice', kind: 'user', value: '23', isOwn: true }]);
  const sent: string[] = [];
  await askDrafts({
    drafts: described.flatMap((each) => draftOf({ ...each, url: ORIGIN + each.url, source: 'script' }) ?? []),
    async send(request): Promise<Exchange> {
      sent.push(`${request.method} ${new URL(request.url).pathname}`);
      const json = shown[new URL(request.url).pathname];
      const headers = [['content-type', 'application/json']] as const;
      const body = Buffer.from(JSON.stringify(json ?? {}));
      return {
        request: { ...request, purpose: 'test' },
        response: { status: json === undefined ? 404 : 200, headers, body, isCut: false },
        failure: null,
        remote: null,
        firstByteMs: 1,
        durationMs: 1,
      };
    },
    harvest,
    inventory,
    seenAs: 'alice',
    notesWrites: true,
    most: 100,
    mostMs: 60_000,
  });
  const items = inventory.items().map(({ method, url, body }) => `${method} ${url.slice(ORIGIN.length)} ${body?.text}`);
  return { items, sent };
}

describe('a described request that writes', () => {
  it('is noted with values that its target shows and ids that are the account’s own, and is not sent', async () => {
    const { items, sent } = await noted([{ method: 'POST', url: '/notes/', json: { userId: 1, stars: 'test' } }], {
      '/notes': [{ id: 1, userId: 4, stars: 5 }],
    });
    assert.deepEqual(items, ['POST /notes/ {"userId":23,"stars":5}']);
    assert.deepEqual(sent, ['GET /notes']);
  });

  it('is noted once, with all that is known of it', async () => {
    const drafts = [
      { method: 'PUT', url: '/users/{id}' },
      { method: 'PUT', url: '/users/{id}', json: { text: 'test' } },
    ] as const;
    const { items } = await noted(drafts, { '/users/23': { id: 23, text: 'Good', stars: 5 } });
    assert.deepEqual(items, ['PUT /users/23 {"text":"Good","stars":5}']);
  });

  it('is left alone where it changes a thing that may be anybody’s', async () => {
    const text = { text: 'test' };
    const anybodys = [
      { method: 'PATCH', url: '/notes', json: { id: 1, ...text } },
      { method: 'PUT', url: '/notes/{id}', json: text },
      { method: 'PUT', url: '/notes/{id}' },
    ] as const;
    for (const one of anybodys)
      assert.deepEqual((await noted([one], { '/notes/1': { id: 1, text: 'Good' } })).items, []);
    const { items: own } = await noted([{ method: 'PATCH', url: '/users', json: { id: 1, name: 'test' } }]);
    assert.deepEqual(own, ['PATCH /users {"id":23,"name":"test"}']);
  });

  it('is noted where what it writes is added to others', async () => {
    const { items } = await noted([{ method: 'PUT', url: '/teas/{id}/notes', json: { text: 'test' } }], {
      '/teas/1/notes': [{ id: 4, text: 'Good' }],
    });
    assert.equal(items.length, 1);
  });

  it('that logs in is noted for those without an account', async () => {
    const login = draftOf({ method: 'POST', url: `${ORIGIN}/login`, source: 'script', json: { user: 'a', pass: 'b' } });
    assert.ok(login);
    const inventory = createInventory();
    await askDrafts({
      drafts: [{ ...login, effect: 'logsIn' }],
      send: () => assert.fail('nothing is sent'),
      harvest: createHarvest(),
      inventory,
      seenAs: null,
      notesWrites: false,
      most: 1,
      mostMs: 1_000,
    });
    assert.deepEqual(
      inventory.items().map(({ effect, seenAs }) => [effect, seenAs]),
      [['logsIn', null]],
    );
  });
});
