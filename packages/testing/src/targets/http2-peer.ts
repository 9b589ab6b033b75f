import { createServer, type TLSSocket } from 'node:tls';
import { issue } from './certificates.ts';
import { listenAndCount, type TargetServer } from './target-servers.ts';

/** Frame types: RFC 9113 §6. */
export const frames = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const END_STREAM = 1;
export const END_HEADERS = 4;
export const STATUS_200 = Buffer.from([0x88]);
const PREFACE_BYTES = 24;
const HEAD_BYTES = 9;

export function writeFrame(
  kind: keyof typeof frames,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(frames[kind], 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const word = (...numbers: number[]) => {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
  return bytes;
};

export function setting(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt16BE(id, 0);
  bytes.writeUInt32BE(value, 2);
  return bytes;
}

/** Encodes a length with a 7-bit prefix: RFC 7541 §5.1. */
function writeLength(length: number): number[] {
  if (length < 127) return [length];
  const bytes = [127];
  let rest = length - 127;
  for (; rest >= 128; rest >>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}

const text = (value: string) => Buffer.concat([Buffer.from(writeLength(value.length)), Buffer.from(value, 'latin1')]);

/** Encodes a literal header field; `first` determines whether the peer indexes it: RFC 7541 §6.2. */
export const literal = (name: string, value: string, first = 0): Buffer =>
  Buffer.concat([Buffer.from([first]), text(name), text(value)]);

export interface Http2Peer extends TargetServer {
  /** Requests received over HTTP/1.1. */
  askedAlone: string[];
}

/** Starts a server that behaves over HTTP/2 as the test defines, and correctly over HTTP/1.1. */
export async function startHttp2Peer(
  behave: (socket: TLSSocket, stream: number) => void,
  settings: Buffer = Buffer.alloc(0),
): Promise<Http2Peer> {
  const { pem, keyPem } = issue({ name: 'peer.test', names: ['IP:127.0.0.1'] });
  const askedAlone: string[] = [];
  const server = createServer({ key: keyPem, cert: pem, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    socket.on('error', () => {});
    if (socket.alpnProtocol === 'h2') return speak(socket, settings, behave);
    socket.on('data', (data) => {
      askedAlone.push(data.toString('latin1').split('\r\n')[0] ?? '');
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nalone');
    });
  });
  server.on('tlsClientError', () => {});
  const listening = await listenAndCount(server);
  return { ...listening, url: listening.url.replace('http:', 'https:'), askedAlone };
}

function speak(socket: TLSSocket, settings: Buffer, behave: (socket: TLSSocket, stream: number) => void): void {
  let received: Buffer = Buffer.alloc(0);
  let isGreeted = false;
  socket.write(writeFrame('settings', 0, 0, settings));
  socket.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data]);
    if (!isGreeted && received.length >= PREFACE_BYTES) {
      isGreeted = true;
      received = received.subarray(PREFACE_BYTES);
    }
    while (isGreeted && received.length >= HEAD_BYTES && received.length >= HEAD_BYTES + received.readUIntBE(0, 3)) {
      const kind = received[3];
      const stream = received.readUInt32BE(5);
      received = received.subarray(HEAD_BYTES + received.readUIntBE(0, 3));
      if (kind === frames.headers) behave(socket, stream);
    }
  });
}
