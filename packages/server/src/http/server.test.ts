import assert from 'node:assert/strict';
import { once } from 'node:events';
import type http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../config/config.ts';
import { createEdge } from './edge.ts';
import { createHttpServer } from './server.ts';

const BURST = 3;

describe('the HTTP server', () => {
  let server: http.Server;
  let now = 0;
  let malformed = 0;
  let refused = 0;
  let handled = 0;

  before(async () => {
    const edge = createEdge({ rate: 1, burst: BURST, trustedHops: 0, now: () => now, onRefusal: () => refused++ });
    const handler: http.RequestListener = (_request, response) => {
      handled++;
      response.end();
    };
    server = createHttpServer(readConfig({}, {}), handler, { edge, onMalformed: () => malformed++ });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  /** Sends a message on a new connection and resolves with everything received. */
  async function send(message: string): Promise<string> {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    // A connection that the server destroys may be reset.
    socket.on('error', () => undefined);
    socket.write(message);
    await once(socket, 'close');
    return answer;
  }

  const statusOf = async (message: string) => (await send(message)).split('\r\n')[0] ?? '';

  for (const [what, message, afterwards] of [
    ['that are no HTTP', 'hello\r\n\r\n', ''],
    ['to a proxy', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', ''],
    ['without a Host header', 'GET / HTTP/1.1\r\n\r\n', 'HTTP/1.1 429 Too Many Requests'],
  ] as const) {
    it(`counts messages ${what} as part of a flood`, async () => {
      now += 1_000_000;
      [malformed, refused, handled] = [0, 0, 0];
      const answers = [];
      for (let i = 0; i < BURST + 2; i++) answers.push(await statusOf(message));
      assert.deepEqual(answers, [...Array(BURST).fill('HTTP/1.1 400 Bad Request'), afterwards, afterwards]);
      assert.deepEqual({ malformed, refused, handled }, { malformed: BURST, refused: 2, handled: 0 });
    });
  }

  it('counts a malformed message once, however many packets follow it', async () => {
    now += 1_000_000;
    malformed = 0;
    await send(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(2_000_000)}\r\n\r\n`);
    assert.equal(malformed, 1);
  });

  it('names the Idempotency-Key that holds a control character, which the parser refuses, and no other header', async () => {
    now += 1_000_000;
    const fieldOf = async (header: string) => {
      const answer = await send(`POST /v1/scans HTTP/1.1\r\nHost: a\r\n${header}\r\nX: x\r\n\r\n`);
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.match(answer, /^cache-control: no-store\r$/m);
      return (JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as { field?: string }).field;
    };
    assert.equal(await fieldOf('Idempotency-Key: a\x7fb'), 'Idempotency-Key');
    assert.equal(await fieldOf('idempotency-key:\x7f'), 'Idempotency-Key');
    assert.equal(await fieldOf('Idempotency-Key: a\r\nX-Other: a\x7fb'), undefined);
  });

  it('gives up callers who neither send nor read, but not between requests', () => {
    assert.equal(server.timeout, 60_000);
    assert.ok(server.keepAliveTimeout > 60_000);
  });

  it('holds only so many connections', () => assert.equal(server.maxConnections, 10_000));
});
