import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import packet, { type Answer } from 'dns-packet';

/** A received DNS query. */
export interface DnsQuestion {
  id: number;
  name: string;
  type: string;
  isByTcp: boolean;
  isUnchecked: boolean;
  wantsDnssec: boolean;
}

interface DnsReply {
  answers?: readonly Answer[];
  /** The response code, 0 by default: 2 is SERVFAIL, 3 is NXDOMAIN. */
  code?: number;
  isAuthentic?: boolean;
  isCut?: boolean;
}

export interface DnsServer {
  /** In the format of a resolver setting. */
  address: string;
  /** The received queries in order; those over TCP are marked. */
  asked: string[];
  close(): Promise<void>;
}

/** Buffers are sent unchanged, one packet each. */
type Answering = (question: DnsQuestion) => DnsReply | readonly Buffer[];

export function writeReply({ id, name, type }: Pick<DnsQuestion, 'id' | 'name' | 'type'>, reply: DnsReply): Buffer {
  const { answers = [], code = 0, isAuthentic = false, isCut = false } = reply;
  const flags =
    packet.RECURSION_DESIRED |
    packet.RECURSION_AVAILABLE |
    (isAuthentic ? packet.AUTHENTIC_DATA : 0) |
    (isCut ? packet.TRUNCATED_RESPONSE : 0) |
    code;
  const questions = [{ name, type: type as 'A' }];
  return packet.encode({ type: 'response', id, flags, questions, answers: [...answers] });
}

/** Listens on a port that is free for both TCP and UDP. */
async function shareAPort(tcp: Server): Promise<UdpSocket> {
  for (let tries = 20; ; tries--) {
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const udp = createSocket('udp4').bind((tcp.address() as AddressInfo).port, '127.0.0.1');
    try {
      await once(udp, 'listening');
      return udp;
    } catch (error) {
      udp.close();
      tcp.close();
      await once(tcp, 'close');
      if (tries === 0) throw error;
    }
  }
}

/** Starts a name server on loopback, over UDP and TCP, whose replies the test defines. */
export async function startDnsServer(answer: Answering): Promise<DnsServer> {
  const asked: string[] = [];
  const open = new Set<Socket>();
  function repliesTo(message: Buffer, isByTcp: boolean): readonly Buffer[] {
    const { id = 0, questions = [], flag_cd, additionals = [] } = packet.decode(message);
    const { name = '', type = 'A' } = questions[0] ?? {};
    asked.push(`${type} ${name}${isByTcp ? ' by TCP' : ''}`);
    const [opt] = additionals;
    const wantsDnssec = opt?.type === 'OPT' && opt.flag_do;
    const question = { id, name, type, isByTcp, isUnchecked: flag_cd, wantsDnssec };
    const reply = answer(question);
    return 'length' in reply ? reply : [writeReply(question, reply)];
  }

  const tcp = createServer((socket) => {
    open.add(socket.once('close', () => open.delete(socket)).on('error', () => {}));
    socket.once('data', (chunk) => {
      for (const bytes of repliesTo(chunk.subarray(2), true)) {
        const size = Buffer.alloc(2);
        size.writeUInt16BE(bytes.length);
        socket.write(Buffer.concat([size, bytes]));
      }
    });
  });
  const udp = await shareAPort(tcp);
  udp.on('message', (message, from) => {
    for (const bytes of repliesTo(message, false)) udp.send(bytes, from.port, from.address);
  });
  const { port } = udp.address();
  return {
    address: `127.0.0.1:${port}`,
    asked,
    async close() {
      for (const socket of open) socket.destroy();
      await Promise.all([new Promise((resolve) => tcp.close(resolve)), new Promise<void>((done) => udp.close(done))]);
    },
  };
}
