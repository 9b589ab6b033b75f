import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startBareServer } from '@sortie/testing/targets/target-servers.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Sender } from '../exchange/sender.ts';

const MEGABYTE = 1024 * 1024;
const BODY_BYTES = MEGABYTE;
const TOTAL_MS = 1_500;
/** Timers fire late on a busy machine. */
const SLACK_MS = 3_000;
let rssAtStart = 0;
let mostRss = 0;
const watching = setInterval(() => {
  mostRss = Math.max(mostRss, process.memoryUsage.rss());
}, 20);

const chunk = Buffer.alloc(64 * 1024, 'a');
const zeros = Buffer.alloc(200 * MEGABYTE);
const head = (...lines: string[]) => `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n`;

/** Writes for as long as the peer reads. */
function writeForever(socket: Socket, next: () => string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(next()));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

function drip(socket: Socket, next: () => string): void {
  const timer = setInterval(() => socket.write(next()), 50);
  socket.once('close', () => clearInterval(timer));
}

interface Ending {
  exchange: Exchange;
  elapsed: number;
}

async function meet(
  behave: (socket: Socket, request: string) => void,
  { asks = 1, totalMs = TOTAL_MS } = {},
): Promise<Ending[]> {
  const server = await startBareServer((socket) => {
    socket.on('data', (data) => behave(socket, data.toString('latin1')));
  });
  const limits = { bodyBytes: BODY_BYTES, totalMs, connectMs: 1_000 };
  const sender: Sender = testSender({ limits });
  const endings: Ending[] = [];
  for (let ask = 0; ask < asks; ask++) {
    const startedAt = performance.now();
    const exchange = await sender.send({ method: 'GET', url: `${server.url}/${ask}`, purpose: 'look' });
    endings.push({ exchange, elapsed: performance.now() - startedAt });
  }
  await sender.close();
  await server.close();
  return endings;
}

async function meetOnce(behave: (socket: Socket, request: string) => void, totalMs = TOTAL_MS): Promise<Exchange> {
  const [ending] = await meet(behave, { totalMs });
  assert.ok(ending && ending.elapsed < totalMs + SLACK_MS, `it took ${ending?.elapsed} ms`);
  return ending.exchange;
}

function assertCut({ response, failure }: Exchange, least: number, most: number): void {
  assert.ok(response, failure?.message);
  assert.ok(response.isCut);
  assert.ok(response.body.length >= least && response.body.length <= most, `${response.body.length} bytes`);
}

const assertFailure = ({ failure, response }: Exchange, code: string) =>
  assert.equal(failure?.code, code, `${failure?.message ?? response?.status}`);

const once = (answer: string | Buffer, headers: string) => (socket: Socket) => {
  socket.write(headers);
  socket.end(answer);
};
const compressed = (data: Buffer, encoding: string) =>
  once(data, head(`Content-Encoding: ${encoding}`, `Content-Length: ${data.length}`));

describe('a hostile server', () => {
  // Measured after the decompression bombs are built.
  before(() => {
    rssAtStart = process.memoryUsage.rss();
    mostRss = 0;
  });
  after(() => {
    clearInterval(watching);
    const grown = Math.round((mostRss - rssAtStart) / MEGABYTE);
    console.log(`memory grew by ${grown} MB`);
    assert.ok(grown < 100, `${grown} MB`);
  });

  it('with an endless body is cut', async () => {
    const exchange = await meetOnce((socket) => {
      socket.write(head());
      writeForever(socket, () => chunk);
    });
    assertCut(exchange, BODY_BYTES, BODY_BYTES);
  });

  it('with a body that claims to be endless is cut', async () => {
    const exchange = await meetOnce((socket) => {
      socket.write(head('Content-Length: 99999999999999'));
      writeForever(socket, () => chunk);
    });
    assertCut(exchange, BODY_BYTES, BODY_BYTES);
  });

  it('with endless chunks is cut', async () => {
    const exchange = await meetOnce((socket) => {
      socket.write(head('Transfer-Encoding: chunked'));
      writeForever(socket, () => `10000\r\n${chunk}\r\n`);
    });
    assertCut(exchange, BODY_BYTES, BODY_BYTES);
  });

  const bombs: Record<string, Buffer> = {
    gzip: zlib.gzipSync(zeros),
    deflate: zlib.deflateSync(zeros),
    br: zlib.brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } }),
    zstd: zlib.zstdCompressSync(zeros),
  };
  for (const [encoding, bomb] of Object.entries(bombs)) {
    it(`with a ${encoding} bomb is cut`, async () => {
      assertCut(await meetOnce(compressed(bomb, encoding)), 0, BODY_BYTES);
    });
  }

  it('with a bomb in a bomb is cut', async () => {
    const bomb = zlib.gzipSync(bombs.gzip ?? '');
    assertCut(await meetOnce(compressed(bomb, 'gzip, gzip')), 0, BODY_BYTES);
  });

  it('with a small bomb is cut by how much it grows', async () => {
    const bomb = zlib.gzipSync(zeros.subarray(0, MEGABYTE));
    assertCut(await meetOnce(compressed(bomb, 'gzip')), 64 * 1024, bomb.length * 100);
  });

  const bits = Array.from(randomBytes(BODY_BYTES / 4), (byte) => byte.toString(2).padStart(8, '0')).join('');
  const slow = zlib.gzipSync(bits);
  it('with a body that grows slowly is cut by how large it becomes', async () => {
    assert.ok(bits.length === 2 * BODY_BYTES && slow.length < BODY_BYTES / 2);
    assertCut(await meetOnce(compressed(slow, 'gzip')), BODY_BYTES, BODY_BYTES);
  });

  it('with a bomb that yields nothing but empty members is cut', async () => {
    const empty = Buffer.concat(Array(2_000).fill(zlib.gzipSync('')));
    const exchange = await meetOnce((socket) => {
      socket.write(head('Content-Encoding: gzip'));
      writeForever(socket, () => empty);
    });
    assertCut(exchange, 0, 0);
    assert.ok(exchange.durationMs < TOTAL_MS / 2, `only after ${exchange.durationMs} ms`);
  });

  const params = { [zlib.constants.ZSTD_c_windowLog]: 27, [zlib.constants.ZSTD_c_enableLongDistanceMatching]: 1 };
  const wide = zlib.zstdCompressSync(zeros.subarray(0, 140 * MEGABYTE), { params });
  it('with a zstd frame that wants a window of 128 MB is cut before anything is decompressed', async () => {
    assertCut(await meetOnce(compressed(wide, 'zstd')), 0, 0);
  });

  it('with more than two encodings is not decoded', async () => {
    const three = zlib.gzipSync(zlib.gzipSync(zlib.gzipSync('hello')));
    assertCut(await meetOnce(compressed(three, 'gzip, gzip, gzip')), 0, 0);
  });

  it('with an encoding named like a property of every object is not decoded', async () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      const { response, failure } = await meetOnce((socket) =>
        socket.end(`${head(`content-encoding: ${name}`, 'content-length: 5')}hello`),
      );
      assert.deepEqual([failure, response?.body.toString()], [null, 'hello'], name);
    }
  });

  it('with a body that is not compressed as it says is cut', async () => {
    assertCut(await meetOnce(compressed(Buffer.from('hello'), 'gzip')), 0, 0);
  });

  it('with a body that drips is cut at the deadline', async () => {
    const exchange = await meetOnce((socket) => {
      socket.write(head('Content-Length: 1000000'));
      drip(socket, () => 'x');
    });
    assertCut(exchange, 1, 100);
  });

  it('with headers that drip fails at the deadline', async () => {
    const exchange = await meetOnce((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, () => 'X-A: b\r\n');
    });
    assertFailure(exchange, 'TIMEOUT');
  });

  it('that never answers fails at the deadline', async () => assertFailure(await meetOnce(() => {}), 'TIMEOUT'));

  it('with a flood of headers fails', async () => {
    const exchange = await meetOnce((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      writeForever(socket, () => 'X-Flood: flood\r\n'.repeat(1_000));
    });
    assertFailure(exchange, 'TOO_LARGE');
  });

  it('with one huge header fails', async () => {
    assertFailure(await meetOnce(once('', head(`X-Huge: ${'x'.repeat(MEGABYTE)}`))), 'TOO_LARGE');
  });

  it('with a flood of interim answers fails', async () => {
    // On a busy machine reading up to the limit may take longer than the usual deadline of these tests.
    const flood = (socket: Socket) => writeForever(socket, () => 'HTTP/1.1 103 Early Hints\r\n\r\n');
    assertFailure(await meetOnce(flood, 20_000), 'PROTOCOL');
  });

  it('with interim answers that drip fails at the deadline', async () => {
    const exchange = await meetOnce((socket) => drip(socket, () => 'HTTP/1.1 102 Processing\r\n\r\n'));
    assertFailure(exchange, 'TIMEOUT');
  });

  it('that continues what nobody began fails', async () => {
    assertFailure(await meetOnce((socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')), 'PROTOCOL');
  });

  it('that closes half-way through its body is cut', async () => {
    assertCut(await meetOnce(once('half', head('Content-Length: 8'))), 4, 4);
  });

  it('that closes half-way through its headers fails', async () => {
    assertFailure(await meetOnce(once('', 'HTTP/1.1 200 OK\r\nX-A: ')), 'PROTOCOL');
  });

  it('that closes without a word fails', async () => {
    assertFailure(await meetOnce((socket) => socket.end()), 'UNREACHABLE');
  });

  it('that resets the connection fails', async () => {
    assertFailure(await meetOnce((socket) => socket.resetAndDestroy()), 'UNREACHABLE');
  });

  for (const garbage of [
    'garbage\r\n\r\n',
    '\0\0\0\0',
    'SSH-2.0-OpenSSH\r\n',
    'HTTP/9.9 200 OK\r\n\r\n',
    'HTTP/1.1 abc\r\n\r\n',
  ]) {
    it(`that says ${JSON.stringify(garbage)} fails`, async () => {
      assertFailure(await meetOnce(once('', garbage)), 'PROTOCOL');
    });
  }

  it('with endless garbage fails', async () => {
    assertFailure(await meetOnce((socket) => writeForever(socket, () => chunk)), 'PROTOCOL');
  });

  for (const chunks of [
    'zzz\r\nhello\r\n0\r\n\r\n',
    '5\r\nhelloworld\r\n0\r\n\r\n',
    'ffffffffffffffffff\r\nx',
    '-5\r\nhello',
  ]) {
    it(`with chunks like ${JSON.stringify(chunks)} is cut`, async () => {
      assertCut(await meetOnce(once(chunks, head('Transfer-Encoding: chunked'))), 0, 10);
    });
  }

  it('with two lengths that differ fails', async () => {
    assertFailure(await meetOnce(once('hello', head('Content-Length: 5', 'Content-Length: 6'))), 'PROTOCOL');
  });

  it('that closes a connection it promised to keep is asked again', async () => {
    const endings = await meet(
      (socket) => {
        socket.write(`${head('Content-Length: 2', 'Connection: keep-alive')}ok`);
        setImmediate(() => socket.resetAndDestroy());
      },
      { asks: 5 },
    );
    assert.deepEqual(
      endings.map(({ exchange }) => exchange.response?.body.toString()),
      Array(5).fill('ok'),
    );
  });

  it('that closes a connection it promised to keep loses no POST', async () => {
    const server = await startBareServer((socket) => {
      socket.on('data', () => {
        socket.write(`${head('Content-Length: 2', 'Connection: keep-alive')}ok`);
        setTimeout(() => socket.resetAndDestroy(), 600);
      });
    });
    const sender = testSender();
    const post = () => sender.send({ method: 'POST', url: server.url, body: 'x', purpose: 'look' });
    assert.equal((await post()).response?.status, 200);
    // Longer than the pool keeps a connection for requests that must not be repeated, but before the server closes it.
    await sleep(550);
    assert.equal((await post()).response?.status, 200);
    assert.equal(server.connections(), 2);
    await sender.close();
    await server.close();
  });

  it('that answers before it is asked does not get its answer taken for another', async () => {
    const endings = await meet(
      (socket, request) => {
        const path = /^GET (\S+)/.exec(request)?.[1] ?? '';
        const answer = (text: string) => `${head(`Content-Length: ${text.length}`)}${text}`;
        socket.write(`${answer(path)}${answer('planted')}`);
      },
      { asks: 4 },
    );
    for (const { exchange } of endings) {
      assert.notEqual(exchange.response?.body.toString(), 'planted');
    }
  });

  it('that redirects in circles or without end is left', async () => {
    let count = 0;
    const server = await startBareServer((socket) => {
      socket.on('data', (data) => {
        count++;
        const isCircle = data.toString().startsWith('GET /circle');
        const location = isCircle ? '/circle' : `/${count}`;
        socket.write(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);
      });
    });
    const sender = testSender();
    const follow = (path: string) => sender.follow({ method: 'GET', url: `${server.url}${path}`, purpose: 'look' });
    assert.equal((await follow('/circle')).length, 1);
    assert.equal((await follow('/')).length, 1 + 5);
    assert.equal(count, 1 + 6);
    await sender.close();
    await server.close();
  });
});
