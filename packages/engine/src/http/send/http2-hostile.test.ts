import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import zlib from 'node:zlib';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import {
  END_HEADERS,
  END_STREAM,
  literal,
  STATUS_200,
  setting,
  startHttp2Peer,
  word,
  writeFrame,
} from '@sortie/testing/targets/http2-peer.ts';
import type { Exchange, TargetRequest } from '../exchange/exchange.ts';

type Behaviour = (socket: TLSSocket, stream: number) => void;

const BODY_BYTES = 40_000;
/** Long enough never to matter, and short for responses that never end. */
const [LONG_MS, SHORT_MS] = [10_000, 400];
const code = { none: 0, protocol: 1, internal: 2, refused: 7, cancel: 8, calm: 11, http1: 13 } as const;
const chunk = Buffer.alloc(16_000, 'a');

interface Ending {
  exchange: Exchange;
  /** Requests over HTTP/1.1. */
  askedAlone: string[];
  connections: number;
  /** Whether the sender still uses HTTP/2. */
  isShared: boolean;
  /** As counted by the sender. */
  requests: number;
}

interface Meeting {
  request?: Partial<TargetRequest>;
  settings?: Buffer;
  totalMs?: number;
}

async function meet(behave: Behaviour, { request, settings, totalMs = LONG_MS }: Meeting = {}): Promise<Ending> {
  const peer = await startHttp2Peer(behave, settings);
  const limits = { bodyBytes: BODY_BYTES, totalMs };
  const sender = testSender({ limits, verifyTls: false, isHttp2Allowed: true });
  const exchange = await sender.send({ method: 'GET', url: `${peer.url}/`, purpose: 'look', ...request });
  const isShared = sender.sharesConnection(peer.url);
  const ending = { exchange, askedAlone: peer.askedAlone, connections: peer.connections(), isShared };
  await sender.close();
  await peer.close();
  return { ...ending, requests: sender.requestsSent() };
}

const answer = (socket: TLSSocket, stream: number, headers: Buffer = STATUS_200, flags = END_HEADERS) =>
  socket.write(writeFrame('headers', flags, stream, headers));
const data = (socket: TLSSocket, stream: number, bytes: Buffer | string, flags = 0) =>
  socket.write(writeFrame('data', flags, stream, Buffer.from(bytes)));
const reset = (socket: TLSSocket, stream: number, why: number) =>
  socket.write(writeFrame('reset', 0, stream, word(why)));

/** Repeats the frame for as long as the peer reads. */
function flood(socket: TLSSocket, frame: Buffer): void {
  const many = Buffer.concat(Array(Math.ceil(16_000 / frame.length)).fill(frame));
  const more = () => {
    while (!socket.destroyed && socket.write(many));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

const bodyOf = ({ exchange }: Ending) => exchange.response?.body.toString();

/** Asserts that the request was retried once over HTTP/1.1 and got its response there. */
function assertFallenBack(ending: Ending): void {
  assert.equal(bodyOf(ending), 'alone', ending.exchange.failure?.message);
  assert.deepEqual(ending.askedAlone, ['GET / HTTP/1.1']);
  assert.deepEqual([ending.connections, ending.isShared, ending.requests], [2, false, 2]);
}

/** Asserts that only this request failed, without a retry. */
function assertFailed(ending: Ending, failure: string): void {
  assert.equal(ending.exchange.failure?.code, failure, ending.exchange.failure?.message ?? bodyOf(ending));
  assert.deepEqual([ending.askedAlone, ending.connections, ending.requests], [[], 1, 1]);
}

function assertCut({ exchange, askedAlone }: Ending, least: number, most: number): void {
  const { response, failure } = exchange;
  assert.ok(response?.isCut, failure?.message);
  assert.ok(response.body.length >= least && response.body.length <= most, `${response.body.length} bytes`);
  assert.deepEqual(askedAlone, []);
}

describe('a hostile HTTP/2 server', () => {
  const broken: Record<string, Behaviour> = {
    'that goes away with an error': (socket) => socket.write(writeFrame('goAway', 0, 0, word(0, code.protocol))),
    'that goes away before it looks at the request': (socket) =>
      socket.end(writeFrame('goAway', 0, 0, word(0, code.none))),
    'that hangs up': (socket) => socket.destroy(),
    'that hangs up in the middle of a frame': (socket, stream) =>
      socket.end(writeFrame('headers', END_HEADERS, stream, STATUS_200).subarray(0, 5)),
    'that speaks something else': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    'with headers that cannot be unpacked': (socket, stream) => answer(socket, stream, Buffer.from([0xff, 0xff])),
    'with a header that HTTP/2 does not have': (socket, stream) =>
      answer(socket, stream, Buffer.concat([STATUS_200, literal('connection', 'close')]), END_HEADERS | END_STREAM),
    'with headers that never end': (socket, stream) => {
      socket.write(writeFrame('headers', 0, stream, STATUS_200));
      flood(socket, writeFrame('continuation', 0, stream, literal('x-flood', 'flood')));
    },
    'that does nothing but ping': (socket) => flood(socket, writeFrame('ping', 0, 0, word(1, 2))),
    'that does nothing but change its settings': (socket) =>
      flood(socket, writeFrame('settings', 0, 0, setting(4, 65_535))),
    'that does nothing but open windows': (socket) => flood(socket, writeFrame('windowUpdate', 0, 0, word(1))),
    'that does nothing but send frames of a kind that nobody knows': (socket) => {
      const unknown = writeFrame('data', 0, 0, chunk);
      unknown.writeUInt8(99, 3);
      flood(socket, unknown);
    },
    'with headers that grow when they are unpacked': (socket, stream) => {
      const remembered = literal('x-bomb', 'y'.repeat(3_900), 0x40);
      // References to the newest entry of the HPACK dynamic table.
      answer(socket, stream, Buffer.concat([STATUS_200, remembered, Buffer.alloc(12_000, 0x80 | 62)]));
    },
    'that wants less of us': (socket, stream) => reset(socket, stream, code.calm),
    'that refuses the request': (socket, stream) => reset(socket, stream, code.refused),
    'that wants HTTP/1.1': (socket, stream) => reset(socket, stream, code.http1),
    'that finds fault with our frames': (socket, stream) => reset(socket, stream, code.protocol),
  };
  for (const [name, behave] of Object.entries(broken)) {
    it(`${name} is asked again by HTTP/1.1, once`, async () => assertFallenBack(await meet(behave)));
  }

  it('is sent nothing twice that may change something', async () => {
    const post = { request: { method: 'POST', body: '{}' } };
    const ending = await meet((socket) => socket.destroy(), post);
    assertFailed(ending, 'UNREACHABLE');
    assert.ok(!ending.isShared);
    const refused = await meet((socket, stream) => reset(socket, stream, code.refused), post);
    assert.deepEqual(refused.askedAlone, ['POST / HTTP/1.1']);
  });

  it('that promises what nobody asked for is heard without it', async () => {
    const ending = await meet((socket, stream) => {
      const promised = [0x82, 0x87, 0x84, 0x41, 0x01, 0x61];
      socket.write(writeFrame('push', END_HEADERS, stream, Buffer.concat([word(2), Buffer.from(promised)])));
      answer(socket, stream);
      data(socket, stream, 'hello', END_STREAM);
    });
    assert.deepEqual([bodyOf(ending), ending.requests, ending.connections], ['hello', 1, 1]);
  });

  for (const why of ['none', 'cancel', 'internal'] as const) {
    it(`that ends the request alone (${why}) has closed it, and is spoken to as before`, async () => {
      const ending = await meet((socket, stream) => reset(socket, stream, code[why]));
      assertFailed(ending, 'UNREACHABLE');
      assert.ok(ending.isShared);
    });

    it(`that ends the answer in its middle (${why}) has cut it`, async () => {
      const ending = await meet((socket, stream) => {
        answer(socket, stream, Buffer.concat([STATUS_200, literal('content-length', '50')]));
        data(socket, stream, 'hello');
        reset(socket, stream, code[why]);
      });
      assertCut(ending, 5, 5);
      assert.ok(ending.isShared);
    });
  }

  it('that hangs up in the middle of an answer has cut it', async () => {
    const ending = await meet((socket, stream) => {
      answer(socket, stream);
      data(socket, stream, 'hello');
      socket.end();
    });
    assertCut(ending, 0, 5);
  });

  it('with headers as large as HTTP/1.1 may have is heard, with larger ones it fails', async () => {
    const withHeaders = (letters: number) =>
      meet((socket, stream) => {
        const many = Array.from({ length: letters / 100 }, (_, index) => literal(`x-${1_000 + index}`, 'y'.repeat(94)));
        const [first = STATUS_200, ...others] = [STATUS_200, ...many];
        socket.write(writeFrame('headers', END_STREAM, stream, first));
        socket.write(writeFrame('continuation', 0, stream, Buffer.concat(others.slice(0, 100))));
        socket.write(writeFrame('continuation', END_HEADERS, stream, Buffer.concat(others.slice(100))));
      });
    const heard = await withHeaders(16_000);
    assert.equal(heard.exchange.response?.headers.length, 160);
    assertFailed(await withHeaders(17_000), 'TOO_LARGE');
  });

  it('with answers ahead of the answer, and never one, fails', async () => {
    const ending = await meet((socket, stream) =>
      flood(socket, writeFrame('headers', END_HEADERS, stream, literal(':status', '103'))),
    );
    assertFailed(ending, 'PROTOCOL');
  });

  it('that never answers fails at the deadline', async () =>
    assertFailed(await meet(() => {}, { totalMs: SHORT_MS }), 'TIMEOUT'));

  it('that takes no body fails at the deadline', async () => {
    const request = { method: 'POST', body: 'x'.repeat(100) };
    const ending = await meet(() => {}, { request, settings: setting(4, 0), totalMs: SHORT_MS });
    assertFailed(ending, 'TIMEOUT');
  });

  it('with a body that drips is cut at the deadline', async () => {
    const ending = await meet(
      (socket, stream) => {
        answer(socket, stream);
        const timer = setInterval(() => data(socket, stream, 'x'), 50);
        socket.once('close', () => clearInterval(timer));
      },
      { totalMs: SHORT_MS },
    );
    assertCut(ending, 1, 100);
  });

  it('with a body larger than what is read is cut', async () => {
    const ending = await meet((socket, stream) => {
      answer(socket, stream);
      // As much as the flow-control window allows.
      for (let sent = 0; sent + chunk.length < 65_535; sent += chunk.length) data(socket, stream, chunk);
    });
    assertCut(ending, BODY_BYTES, BODY_BYTES);
    assert.ok(ending.isShared);
  });

  it('with a body that grows when it is unpacked is cut', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(10_000_000));
    const ending = await meet((socket, stream) => {
      answer(socket, stream, Buffer.concat([STATUS_200, literal('content-encoding', 'gzip')]));
      data(socket, stream, bomb, END_STREAM);
    });
    assertCut(ending, 0, BODY_BYTES);
  });
});
