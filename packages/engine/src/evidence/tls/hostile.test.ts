import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startBareServer } from '@sortie/testing/targets/target-servers.ts';
import fc from 'fast-check';
import { readCertificate } from './certificate.ts';
import { maxEarlyDataOf } from './early-data.ts';
import { gatherTls } from './gather-tls.ts';
import { readRevocation } from './revocation.ts';
import { readAnswer } from './server-answer.ts';
import { gatherTlsProbes, type TlsProbes } from './tls-probes.ts';

/** Timeout for servers that respond, long enough for a busy machine. */
const PATIENT_MS = 10_000;
/** Timeout for servers that never respond. */
const SHORT_MS = 300;

/** Probes a server with this connection handler. */
async function meet(onSocket: (socket: Socket) => void, answerMs = PATIENT_MS) {
  await using cleanUp = new AsyncDisposableStack();
  const server = await startBareServer(onSocket);
  cleanUp.defer(() => server.close());
  const sender = testSender({ limits: { atOnce: 6 } });
  cleanUp.defer(() => sender.close());
  const startedAt = performance.now();
  const probes = await gatherTlsProbes(sender, { host: '127.0.0.1', port: server.port }, answerMs);
  assert.ok(performance.now() - startedAt < PATIENT_MS, 'it took too long');
  assert.ok(server.connections() <= 24);
  assert.ok('answers' in probes);
  return new Set(Object.values((probes as TlsProbes).answers).map(({ outcome }) => outcome));
}

const record = (length: number, body: Buffer) =>
  Buffer.concat([Buffer.from([22, 3, 3, length >> 8, length & 0xff]), body]);

/** Writes endlessly, as fast as the client reads. */
function flood(socket: Socket, chunk: Buffer): void {
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', write);
  write();
}

describe('a hostile server', () => {
  it('that talks nonsense is understood to speak no TLS', async () => {
    assert.deepEqual(await meet((socket) => socket.end(randomBytes(2_000).fill(0x7a, 0, 1))), new Set(['GARBAGE']));
    assert.deepEqual(await meet((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')), new Set(['GARBAGE']));
  });

  it('that never stops is cut short', async () => {
    assert.deepEqual(await meet((socket) => flood(socket, Buffer.alloc(65_536, 0x16))), new Set(['GARBAGE']));
    const endless = record(16_384, Buffer.alloc(16_384));
    assert.deepEqual(await meet((socket) => flood(socket, endless)), new Set(['CLOSED']));
  });

  it('that announces huge records is not waited for', async () => {
    assert.deepEqual(await meet((socket) => void socket.write(record(0xffff, Buffer.alloc(10)))), new Set(['GARBAGE']));
  });

  it('that drips is not waited for', async () => {
    const drip = (socket: Socket) => {
      const bytes = record(4_000, Buffer.concat([Buffer.from([2, 0, 0x0f, 0xa0]), Buffer.alloc(3_996)]));
      let at = 0;
      const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), 20);
      socket.on('close', () => clearInterval(timer));
    };
    assert.deepEqual(await meet(drip, SHORT_MS), new Set(['SILENT']));
  });

  it('that says nothing, or hangs up, says nothing', async () => {
    assert.deepEqual(await meet(() => {}, SHORT_MS), new Set(['SILENT']));
    assert.deepEqual(await meet((socket) => socket.end()), new Set(['CLOSED']));
    assert.deepEqual(await meet((socket) => socket.once('data', () => socket.resetAndDestroy())), new Set(['CLOSED']));
  });

  it('that agrees to everything alike is not believed', async () => {
    const hello = Buffer.concat([Buffer.from([2, 0, 0, 38, 3, 3]), Buffer.alloc(32), Buffer.from([0, 0, 5, 0])]);
    const answers = await meet((socket) => socket.end(record(hello.length, hello)));
    assert.ok(answers.has('GARBAGE'));
  });

  it('on plain http leaves the checks of TLS undone, or says that there is none', async () => {
    await using cleanUp = new AsyncDisposableStack();
    const sender = testSender({ network: { allowAddresses: [] } });
    cleanUp.defer(() => sender.close());
    const lookAt = (url: string) => gatherTls(sender, { hops: [{ url, status: 200, headers: [] }] });
    assert.deepEqual(await lookAt('http://127.0.0.1:8080/'), { tlsProbes: null, https: null });
    const refused = await lookAt('http://127.0.0.1/');
    assert.ok(refused.tlsProbes && 'missing' in refused.tlsProbes);
  });
});

describe('what a hostile server sends', () => {
  const starts = ['16030300', '150303000202', '8000', '16030300300200002c0303', ''].map((hex) =>
    Buffer.from(hex, 'hex'),
  );
  const bytes = fc
    .tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }))
    .map(([start, rest]) => Buffer.concat([start, rest]));

  it('never breaks the readers', () => {
    fc.assert(
      fc.property(bytes, (sent) => {
        assert.ok(readAnswer(sent, 'CLOSED'));
        readAnswer(sent, false);
        maxEarlyDataOf(sent);
        readRevocation(sent, Buffer.from([1]));
        assert.throws(() => readCertificate(sent));
      }),
      { numRuns: 3_000 },
    );
  });

  it('is refused where it nests without end', () => {
    const deep = Array.from({ length: 2_000 }).reduce<Buffer>(
      (inner) => {
        const { length } = inner;
        return Buffer.concat([Buffer.from([0x30, 0x82, length >> 8, length & 0xff]), inner]);
      },
      Buffer.from([5, 0]),
    );
    assert.equal(readRevocation(deep, Buffer.from([1])), null);
  });
});
