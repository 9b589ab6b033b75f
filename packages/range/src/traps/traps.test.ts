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
    const fields = traps.flatMap(({ field }) => field ?? []);
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
