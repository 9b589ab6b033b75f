import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import zlib from 'node:zlib';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startBareServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import type { TargetRequest } from '../exchange/exchange.ts';
import type { Sender } from '../exchange/sender.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let server: TargetServer;
let sender: Sender;
let received: string[];
let answer: (socket: Socket) => void;

before(async () => {
  server = await startBareServer((socket) => {
    socket.on('data', (data) => {
      received.push(data.toString('latin1'));
      answer(socket);
    });
  });
  sender = testSender();
});
after(async () => {
  await sender.close();
  await server.close();
});

async function ask(path: string, request: Partial<TargetRequest> = {}, reply: string | Buffer = OK) {
  received = [];
  answer = (socket) => socket.write(reply);
  return sender.send({ method: 'GET', purpose: 'look', ...request, url: `${server.url}${path}` });
}

describe('a request', () => {
  const paths = [
    '/a/../b/./c//d',
    '/%2e%2e/%2E%2E/etc/passwd',
    '/..;/admin',
    '/a?b=<script>"\'`{}|\\^[]&c=%zz%',
    '/?',
    '/??x',
    '//double',
    '/\\back\\slash',
    '/caf\u00e9',
    '/a%0d%0ab',
  ];
  for (const path of paths) {
    it(`has its path as it is written: ${path}`, async () => {
      assert.equal((await ask(path)).response?.body.toString(), 'ok');
      assert.equal(received.join('').split('\r\n')[0], `GET ${path} HTTP/1.1`);
    });
  }

  it('has a path even if none is written, and never a fragment', async () => {
    await ask('');
    assert.match(received.join(''), /^GET \/ HTTP/);
    await ask('?x=1#fragment');
    assert.match(received.join(''), /^GET \/\?x=1 HTTP/);
  });

  it('has its headers in their order and spelling, after those that say who we are', async () => {
    await ask('/', {
      headers: [
        ['x-lower', '1'],
        ['X-UPPER', '2'],
        ['Cookie', 'a=1'],
        ['x-lower', '3'],
        ['X-Bytes', 'caf\u00e9'],
        ['X-Empty', ''],
      ],
    });
    const own = received.join('').split('\r\n').slice(1, -2);
    assert.deepEqual(own.slice(2), [
      'User-Agent: Sortie-Test/1',
      'X-Sortie-Run: run-1',
      'x-lower: 1',
      'X-UPPER: 2',
      'Cookie: a=1',
      'x-lower: 3',
      'X-Bytes: caf\u00e9',
      'X-Empty: ',
    ]);
  });

  it('may say itself who it is and what its host is, but not whose run it belongs to', async () => {
    await ask('/', {
      headers: [
        ['user-agent', 'Mine/1'],
        ['Host', 'evil.example'],
        ['x-sortie-run', 'mine'],
      ],
    });
    const text = received.join('');
    assert.ok(text.includes('user-agent: Mine/1') && !text.includes('x-sortie-run: mine'));
    assert.match(text, /\r\nX-Sortie-Run: run-1\r\n/);
    assert.match(text, /\r\nhost: evil\.example\r\n/i);
    assert.ok(!/Sortie-Test|127\.0\.0\.1/.test(text));
  });

  it('has its body byte by byte', async () => {
    await ask('/', { method: 'POST', body: Buffer.from([0, 255, 10]) });
    assert.match(received.join(''), /content-length: 3\r\n\r\n\0\xff\n$/i);
    await ask('/', { method: 'PURGE', body: 'é' });
    assert.match(received.join(''), /^PURGE \/ .*\r\n\r\n\xc3\xa9$/s);
  });

  it('fails if it cannot be sent as it is written, and nothing is sent', async () => {
    const bad: Partial<TargetRequest>[] = [
      { headers: [['X-A', 'b\r\nX-C: d']] },
      { headers: [['X A', 'b']] },
      { headers: [['Transfer-Encoding', 'chunked']] },
      { headers: [['Content-Length', '7']] },
      { headers: [['Connection', 'X-Forwarded-For']] },
      { headers: [['Expect', '100-continue']] },
      { headers: [['Upgrade', 'h2c']] },
      {
        headers: [
          ['Host', 'a'],
          ['Host', 'b'],
        ],
      },
      { headers: [['X-A', '€']] },
      { method: 'GET /x' },
      { method: '' },
      { method: 'CONNECT' },
    ];
    const before = sender.requestsSent();
    for (const request of bad) {
      const { failure } = await ask('/', request);
      assert.equal(failure?.code, 'PROTOCOL', JSON.stringify(request));
      assert.equal(received.length, 0, JSON.stringify(request));
    }
    for (const path of ['/a b', '/€', '/a\tb', '/a\r\nb']) {
      assert.equal((await ask(path)).failure?.code, 'PROTOCOL', path);
      assert.equal(received.length, 0);
    }
    assert.equal(sender.requestsSent(), before);
  });
});

describe('an answer', () => {
  it('has its headers as they came, every one of them', async () => {
    const raw =
      'HTTP/1.1 299 Odd\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nX-ODD:  caf\xe9 \r\nContent-Length: 0\r\n\r\n';
    const { response } = await ask('/', {}, Buffer.from(raw, 'latin1'));
    assert.equal(response?.status, 299);
    assert.deepEqual(response?.headers, [
      ['set-cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['X-ODD', 'caf\u00e9'],
      ['Content-Length', '0'],
    ]);
  });

  const text = Buffer.from('hello '.repeat(1_000));
  const encodings: Record<string, Buffer> = {
    gzip: zlib.gzipSync(text),
    'x-gzip': zlib.gzipSync(text),
    deflate: zlib.deflateSync(text),
    Deflate: zlib.deflateRawSync(text),
    br: zlib.brotliCompressSync(text),
    zstd: zlib.zstdCompressSync(text),
    'gzip, br': zlib.brotliCompressSync(zlib.gzipSync(text)),
    'identity, gzip': zlib.gzipSync(text),
    'made-up': text,
    identity: text,
  };
  for (const [encoding, body] of Object.entries(encodings)) {
    it(`is decompressed from ${encoding}`, async () => {
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`;
      const { response } = await ask('/', {}, Buffer.concat([Buffer.from(head), body]));
      assert.equal(response?.body.toString(), text.toString());
      assert.equal(response?.isCut, false);
    });
  }

  it('to HEAD has no body, whatever its headers say', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 500\r\n\r\n';
    const { response } = await ask('/', { method: 'HEAD' }, head);
    assert.deepEqual([response?.body.length, response?.isCut], [0, false]);
  });

  it('has its times', async () => {
    received = [];
    answer = (socket) => {
      setTimeout(() => {
        socket.write(OK.slice(0, -1));
        setTimeout(() => socket.write('k'), 600);
      }, 100);
    };
    const exchange = await sender.send({ method: 'GET', purpose: 'look', url: server.url });
    const { firstByteMs, durationMs } = exchange;
    assert.ok(firstByteMs !== null && firstByteMs > 90, `${firstByteMs} ms`);
    assert.ok(durationMs - firstByteMs > 300, `${durationMs} ms after ${firstByteMs} ms`);
    assert.deepEqual(exchange.remote, { address: '127.0.0.1', port: server.port });
  });
});

describe('raw bytes', () => {
  const raw = (text: string, quietMs = 100) =>
    sender.sendRaw({
      host: '127.0.0.1',
      port: server.port,
      tls: false,
      bytes: Buffer.from(text, 'latin1'),
      purpose: 'look',
      quietMs,
    });

  it('go out as they are, and come back as they are', async () => {
    received = [];
    answer = (socket) => socket.write('anything\0\xff', 'latin1');
    const odd = 'GET  / HTTP/1.1\nHost : a\nTransfer-Encoding:\x0bchunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nX';
    const exchange = await raw(odd);
    assert.equal(received.join(''), odd);
    assert.equal(exchange.received.toString('latin1'), 'anything\0\xff');
    assert.deepEqual([exchange.end, exchange.failure], ['QUIET', null]);
    assert.deepEqual(exchange.remote, { address: '127.0.0.1', port: server.port });
  });

  it('end when the other side closes', async () => {
    answer = (socket) => socket.end('bye');
    const exchange = await raw('x', 60_000);
    assert.deepEqual([exchange.end, exchange.received.toString()], ['CLOSED', 'bye']);
    answer = (socket) => socket.end();
    assert.equal((await raw('x')).failure?.code, 'UNREACHABLE');
  });

  it('end at the deadline and at the limit', async () => {
    const small = testSender({ limits: { totalMs: 300, bodyBytes: 1_000 } });
    const request = {
      host: '127.0.0.1',
      port: server.port,
      tls: false,
      bytes: Buffer.from('x'),
      purpose: 'look',
    } as const;
    answer = () => {};
    const silent = await small.sendRaw(request);
    assert.deepEqual([silent.end, silent.failure?.code], ['DEADLINE', 'TIMEOUT']);
    answer = (socket) => socket.write(Buffer.alloc(5_000));
    const full = await small.sendRaw(request);
    assert.deepEqual([full.end, full.received.length, full.failure], ['FULL', 1_000, null]);
    await small.close();
  });

  it('are counted like every request', async () => {
    answer = (socket) => socket.end('x');
    sender.takeEgress();
    const before = sender.requestsSent();
    await raw('x');
    assert.equal(sender.requestsSent(), before + 1);
    assert.deepEqual(
      sender.takeEgress().map(({ host, port, connections, requests }) => ({ host, port, connections, requests })),
      [{ host: '127.0.0.1', port: server.port, connections: 1, requests: 1 }],
    );
  });
});
