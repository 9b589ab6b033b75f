import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { openWholeShop } from '../whole-shop.ts';
import { traps } from './traps.ts';

const { visitor } = openWholeShop();
const sockets: Socket[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

async function touches(): Promise<Record<string, number>> {
  return JSON.parse((await visitor().ask('/.well-known/range-touches')).body);
}

async function openSocket(path: string): Promise<Socket> {
  const { port } = new URL(visitor().origin);
  const socket = connect(Number(port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: range\r\n\r\n`);
  return socket;
}

describe('a crawler', () => {
  for (const { id, path } of traps.filter(({ id, kind }) => kind === 'endless' && id !== 'loop')) {
    it(`always finds another page in ${id}`, async () => {
      const seen = new Set<string>();
      for (let next: string | undefined = path; seen.size < 25; ) {
        assert.ok(next !== undefined && !seen.has(next), `it ends after ${seen.size} pages`);
        seen.add(next);
        const { status, body } = await visitor().ask(next);
        assert.equal(status, 200);
        const links = [...body.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
        next = links.filter((link) => link.startsWith(path)).find((link) => !seen.has(link));
      }
    });
  }

  it('is led round and round by the loop', async () => {
    assert.equal((await visitor().ask('/round')).location, '/round');
  });

  it('gets no answer from silence while others get theirs', async () => {
    const socket = await openSocket('/silence');
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    for (let visit = 0; visit < 5; visit++) assert.equal((await visitor().ask('/find?q=x')).status, 200);
    assert.equal(heard, '');
    assert.equal(socket.closed, false);
  });

  it('gets a beginning from the drip, and no end', async () => {
    const socket = await openSocket('/drip');
    const [chunk] = await once(socket, 'data');
    assert.match(String(chunk), /^HTTP\/1\.1 200 /);
    await visitor().ask('/find?q=x');
    assert.equal(socket.closed, false);
  });

  it('cannot keep the shop waiting more often than it holds out', async () => {
    const first = await openSocket('/silence');
    const ended = once(first, 'close');
    for (let visit = 0; visit < 70; visit++) await openSocket('/silence');
    await ended;
  });
});

describe('what nobody may touch', () => {
  it('is not touched by a look at the pages that link it', async () => {
    await visitor().ask('/aisle/corners');
    assert.deepEqual(await touches(), {});
  });

  it('is counted when somebody does, whatever the method', async () => {
    const forbidden = traps.filter(({ kind, field }) => kind === 'forbidden' && field === undefined);
    for (const { path } of forbidden) {
      await visitor().ask(`${path}?id=7`);
      await visitor().ask(path, { method: 'POST', body: 'reason=none' });
    }
    const expected = forbidden.flatMap(({ path }) => [`GET ${path}`, `POST ${path}`].map((name) => [name, 1]));
    assert.deepEqual(await touches(), Object.fromEntries(expected));
  });

  it('is counted behind GraphQL, too', async () => {
    const fields = traps.flatMap(({ field, kind }) => (kind === 'forbidden' ? (field ?? []) : []));
    for (const field of fields) {
      await visitor().ask('/graphql', { method: 'POST', body: JSON.stringify({ query: `{ ${field} }` }) });
    }
    const counts = await touches();
    assert.deepEqual(
      fields.map((field) => counts[`query ${field}`]),
      fields.map(() => 1),
    );
  });
});

/** Resolves to the cookie of a session of its own. */
async function signInAsBob(): Promise<string> {
  const form = await visitor().ask('/login');
  const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(form.body) ?? [];
  const fields = { username: 'bob', password: 'bob-of-the-range', form_token: token };
  const [cookie = ''] = form.headers.getSetCookie();
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await visitor().ask('/login', { method: 'POST', headers, body: String(new URLSearchParams(fields)) });
  return reply.headers.getSetCookie()[0]?.replace(/;.*$/s, '') ?? '';
}

describe('harm that a request can do', () => {
  const post = (path: string, body: string) => visitor().ask(path, { method: 'POST', body });

  it('is not counted where a form is sent as it is', async () => {
    const before = await touches();
    assert.equal((await post('/notices', 'id=&title=Picnic')).status, 303);
    await post('/notices/export', 'folder=reports&format=csv');
    assert.deepEqual(await touches(), before);
  });

  it('is counted by kind', async () => {
    const before = await touches();
    await post('/notices', 'id=3&title=Picnic');
    await post('/notices/3/edit', 'title=Picnic');
    await post('/notices/export', 'folder=../etc&format=csv');
    for (let notice = 0; notice < 60; notice++) await post('/notices', 'id=&title=Picnic');
    const after = await touches();
    const added = Object.keys(after).filter((name) => after[name] !== before[name]);
    assert.deepEqual(added.toSorted(), [
      'POST /notices more than 60 times',
      'POST /notices with an ID',
      'POST /notices/3/edit',
      'POST /notices/export into another folder',
    ]);
  });

  it('is counted from the second time on where only its effect tells', async () => {
    const query = async (field: string) =>
      (await post('/graphql', JSON.stringify({ query: `{ ${field}${field === 'benches' ? ' { name }' : ''} }` }))).body;
    const name = 'query dusk again';
    await query('dawn');
    assert.match(await query('benches'), /"oak"/);
    await query('dusk');
    assert.doesNotMatch(await query('benches'), /"oak"/);
    assert.equal((await touches())[name], undefined);
    await query('dusk');
    assert.equal((await touches())[name], 1);
  });

  it('is counted where a page ends the session or switches its mode', async () => {
    assert.match((await post('/notices/export', 'folder=reports&format=csv')).body, /href="\/terrace"/);
    const headers = { cookie: 'shop_mode=plain' };
    assert.match((await visitor().ask('/veranda')).headers.getSetCookie().join(), /shop_mode=plain/);
    assert.equal((await visitor().ask('/orangery')).headers.getSetCookie().join().includes('shop_mode'), false);
    await visitor().ask('/notices', { headers });
    assert.equal((await touches())['GET /notices in the plain mode'], 1);
    for (let visit = 0; visit < 41; visit++) {
      const cookie = await signInAsBob();
      assert.equal((await visitor().ask('/api/orders', { headers: { cookie } })).status, 200);
      await visitor().ask('/terrace', { headers: { cookie } });
      assert.equal((await visitor().ask('/api/orders', { headers: { cookie } })).status, 401);
    }
    assert.equal((await touches())['GET /terrace more than 40 times'], 1);
  });

  it('is counted as long as it is not undone', async () => {
    const put = (motto: string) =>
      visitor().ask('/api/my/motto', { method: 'PUT', body: JSON.stringify({ motto }), as: 'alice' });
    const name = 'PUT /api/my/motto, not restored';
    assert.equal((await put('Backward')).status, 200);
    assert.equal((await touches())[name], 1);
    await put('Onward');
    assert.equal((await touches())[name], undefined);
  });
});
