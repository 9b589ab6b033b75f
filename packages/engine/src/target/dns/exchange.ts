import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { type DnsAnswer, type Query, readAnswer } from './message.ts';

export interface DnsServer {
  address: string;
  port: number;
}

/** Why there is no result: no response, or an unusable one. */
export type NoAnswer = 'SILENT' | 'GARBAGE';

/** Legitimate responses are far smaller. */
const MAX_MESSAGE = 16_384;
/** Packets that match no query of ours: a sign of attempted spoofing. */
const MOST_FOREIGN = 100;

/**
 * Sends one packet from a socket of its own that accepts packets of this server only. Resolves with `CUT` if the
 * response is truncated.
 */
export function askByUdp(server: DnsServer, query: Query, ms: number): Promise<DnsAnswer | NoAnswer | 'CUT'> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
    let foreign = 0;
    const finish = (outcome: DnsAnswer | NoAnswer | 'CUT') => {
      clearTimeout(timer);
      socket.removeAllListeners('message').removeAllListeners('error').on('error', ignore);
      close(socket);
      resolve(outcome);
    };
    const timer = setTimeout(() => finish('SILENT'), ms);
    socket
      .on('error', () => finish('SILENT'))
      .on('message', (bytes) => {
        const answer = bytes.length > MAX_MESSAGE ? 'GARBAGE' : readAnswer(bytes, query);
        if (answer !== 'FOREIGN') finish(answer);
        else if (++foreign >= MOST_FOREIGN) finish('GARBAGE');
      })
      .connect(server.port, server.address, () => socket.send(query.bytes));
  });
}

const ignore = () => {};

function close(socket: { close(): void }): void {
  try {
    socket.close();
  } catch {
    // The socket was never open.
  }
}

/** Queries over TCP, for responses that do not fit into one UDP packet. */
export function askByTcp(server: DnsServer, query: Query, ms: number): Promise<DnsAnswer | NoAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ host: server.address, port: server.port });
    const received = Buffer.alloc(2 + MAX_MESSAGE);
    let length = 0;
    const finish = (outcome: DnsAnswer | NoAnswer) => {
      clearTimeout(timer);
      socket.removeAllListeners().on('error', ignore).destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => finish('SILENT'), ms);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(query.bytes.length);
    socket
      .on('error', () => finish('SILENT'))
      .on('close', () => finish(length > 0 ? 'GARBAGE' : 'SILENT'))
      .on('data', (chunk) => {
        length += chunk.copy(received, length);
        const wanted = length < 2 ? Infinity : 2 + received.readUInt16BE(0);
        if (wanted <= length) {
          const answer = readAnswer(received.subarray(2, wanted), query);
          finish(typeof answer === 'string' ? 'GARBAGE' : answer);
        } else if (length === received.length) finish('GARBAGE');
      })
      .write(Buffer.concat([size, query.bytes]));
  });
}
