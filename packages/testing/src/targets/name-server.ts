import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import packet, { type StringAnswer, type TxtAnswer } from 'dns-packet';

export interface NameServer {
  /** In the format of a resolver setting. */
  address: string;
  /** The queries in order, each with its type. */
  asked: string[];
  close(): Promise<void>;
}

export type Records = (name: string, type: string) => readonly string[] | 'silence' | 'failure';

function answersFor(name: string, type: string, found: readonly string[]): (StringAnswer | TxtAnswer)[] {
  if (type === 'TXT') return found.map((text) => ({ type, name, ttl: 0, data: text.split('|') }));
  const fitting = found.filter((address) => isIPv4(address) === (type === 'A'));
  return fitting.map((data) => ({ type: type === 'A' ? 'A' : 'AAAA', name, ttl: 0, data }));
}

/** Starts a name server on loopback with the given records. `|` separates the strings of a TXT record. */
export async function startNameServer(records: Records): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, from) => {
    const { id, questions = [] } = packet.decode(message);
    const { name = '', type = 'A' } = questions[0] ?? {};
    asked.push(`${type} ${name}`);
    const found = records(name, type);
    if (found === 'silence') return;
    const isFailure = found === 'failure';
    const flags = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | (isFailure ? 2 : 0);
    const answers = isFailure ? [] : answersFor(name, type, found);
    socket.send(packet.encode({ type: 'response', id: id ?? 0, flags, questions, answers }), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
