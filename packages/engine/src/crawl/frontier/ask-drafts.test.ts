import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { createHarvest } from '../inventory/harvest.ts';
import { createInventory } from '../inventory/inventory.ts';
import { graphqlItemOf } from '../readers/graphql-operations.ts';
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

describe('a GraphQL query', () => {
  it('is sent again with the values that an error names, though the status says success', async () => {
    const inventory = createInventory();
    const query = 'query teas($sort: Sort) { teas(sort: $sort) { name } }';
    const message =
      'Variable "$sort" got invalid value "test"; Value "test" does not exist in "Sort" enum. Did you mean the enum value "UP"?';
    const draft = graphqlItemOf(query, `${ORIGIN}/graphql`, '{"sort":"test"}') ?? assert.fail();
    await askDrafts({
      drafts: [draft],
      async send(request): Promise<Exchange> {
        const isRight = String(request.body).includes('"UP"');
        const body = Buffer.from(JSON.stringify(isRight ? { data: { teas: [] } } : { errors: [{ message }] }));
        const headers = [['content-type', 'application/json']] as const;
        return {
          request: { ...request, purpose: 'test' },
          response: { status: 200, headers, body, isCut: false },
          failure: null,
          remote: null,
          firstByteMs: 1,
          durationMs: 1,
        };
      },
      harvest: createHarvest(),
      inventory,
      seenAs: null,
      notesWrites: false,
      most: 20,
      mostMs: 60_000,
    });
    assert.deepEqual(
      inventory.items().map(({ parameters }) => parameters[0]?.value),
      ['UP'],
    );
  });
});

describe('a described request that reads', () => {
  /** Resolves to what is recorded of read requests at a target that answers like this. */
  async function read(described: readonly Omit<Described, 'source'>[], answer: (path: string) => [number, unknown]) {
    const inventory = createInventory();
    const harvest = createHarvest();
    const sent: string[] = [];
    harvest.learnName('alice', 'user', 'username', 'alice01', true);
    await askDrafts({
      drafts: described.flatMap((each) => draftOf({ ...each, url: ORIGIN + each.url, source: 'openapi' }) ?? []),
      async send(request): Promise<Exchange> {
        const { pathname, search } = new URL(request.url);
        sent.push(pathname + search);
        const [status, json] = answer(pathname + search);
        const headers = [['content-type', 'application/json']] as const;
        return {
          request: { ...request, purpose: 'test' },
          response: { status, headers, body: Buffer.from(JSON.stringify(json)), isCut: false },
          failure: null,
          remote: null,
          firstByteMs: 1,
          durationMs: 1,
        };
      },
      harvest,
      inventory,
      seenAs: 'alice',
      notesWrites: false,
      most: 50,
      mostMs: 60_000,
    });
    const urls = inventory.items().map(({ sightings }) => sightings?.[0]?.url.slice(ORIGIN.length));
    return { urls, sent, items: inventory.items() };
  }

  it('gets the account’s own name, and what the target lists, by name', async () => {
    const { urls } = await read(
      [
        { method: 'GET', url: '/users/{username}/cards', values: { username: 'johndoe' } },
        { method: 'GET', url: '/teas/{sku}', values: { sku: 'string' } },
        { method: 'GET', url: '/teas' },
      ],
      (path) => [200, path === '/teas' ? [{ id: 3, sku: 'T-77' }] : {}],
    );
    assert.deepEqual(urls.toSorted(), ['/teas', '/teas/T-77', '/users/alice01/cards']);
  });

  it('is tried with other values, then with those of the description, before it is given up', async () => {
    const drafts = [
      { method: 'GET', url: '/reports/{reportId}', values: { reportId: '1' } },
      { method: 'GET', url: '/archive/{archiveId}', values: { archiveId: 'a-1' } },
      { method: 'GET', url: '/nothing/{nothingId}' },
      { method: 'GET', url: '/late' },
    ] as const;
    const { urls, sent } = await read(drafts, (path) => {
      if (path === '/late') return [200, { reports: [{ id: 'r1' }, { id: 'r2' }], archiveId: 'x' }];
      return ['/reports/r2', '/archive/a-1'].includes(path) ? [200, {}] : [404, { error: 'not found' }];
    });
    assert.deepEqual(urls.toSorted(), ['/archive/a-1', '/late', '/nothing/1', '/reports/r2']);
    assert.ok(sent.length <= 8 && new Set(sent).size === sent.length, sent.join());
  });

  it('is not sent with values that make it change something', async () => {
    const drafts = [
      { method: 'GET', url: '/list' },
      { method: 'GET', url: '/run', query: [['action', 'list']] },
      { method: 'GET', url: '/go', query: [['userAction', 'string']] },
      { method: 'GET', url: '/jobs/{step}', values: { step: 'show' } },
      { method: 'GET', url: '/find', query: [['by', 'name']] },
      { method: 'GET', url: '/history', query: [['transactionId', '1']] },
    ] as const;
    const { sent } = await read(drafts, (path) => {
      if (path === '/list') return [200, [{ action: 'delete', step: 'flush', transactionId: 'T-7' }]];
      if (path.startsWith('/history')) return [200, []];
      if (path.startsWith('/go')) return [400, { message: ['userAction must be one of: flush, list'] }];
      if (path.startsWith('/find')) return [422, { detail: [{ loc: ['query', 'delete'], msg: 'Field required' }] }];
      return [400, { message: ['action must be one of: flush, list'] }];
    });
    assert.deepEqual(sent.filter((path) => /delete|flush/.test(path)), []); // biome-ignore format: short
    assert.ok(
      ['/list', '/run?action=list', '/go?userAction=string', '/jobs/show', '/history?transactionId=T-7'].every((path) =>
        sent.includes(path),
      ),
    );
  });

  it('is tried with what error messages name', async () => {
    const { items } = await read([{ method: 'GET', url: '/find', query: [['sort', 'string']] }], (path) => {
      if (!/sort=(?:asc|desc)/.test(path)) return [400, { message: ['sort must be one of: asc, desc'] }];
      return /[?&]q=/.test(path) ? [200, []] : [422, { detail: [{ loc: ['query', 'q'], msg: 'Field required' }] }];
    });
    assert.deepEqual(items[0]?.parameters.map(({ name, value }) => `${name}=${value}`), ['sort=asc', 'q=test']); // biome-ignore format: short
    assert.equal(items[0]?.sightings?.[0]?.status, 200);
  });
});
