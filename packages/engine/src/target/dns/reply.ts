import { isIPv4 } from 'node:net';
import packet, { type Answer } from 'dns-packet';

/** A DNS query that our listener received. */
export interface DnsQuery {
  id: number;
  /** In the original spelling, for the reply: some resolvers randomize the case and compare it. */
  name: string;
  type: string;
}

const HEADER = 12;
/** Longer than any query for a single name. */
const LONGEST = 512;
const SHORT_LIVED_SECONDS = 5;
const REFUSED = 5;

/** Returns undefined if the message is no query, or contains several questions. */
export function readQuestion(bytes: Buffer): DnsQuery | undefined {
  if (bytes.length < HEADER || bytes.length > LONGEST) return undefined;
  const flags = bytes.readUInt16BE(2);
  const isQuery = (flags & 0xf800) === 0;
  if (!isQuery || bytes.readUInt16BE(4) !== 1 || bytes.readUInt16BE(6) !== 0) return undefined;
  try {
    const [question] = packet.decode(bytes).questions ?? [];
    return question && { id: bytes.readUInt16BE(0), name: question.name, type: question.type };
  } catch {
    return undefined;
  }
}

/**
 * Replies with the address if the query asks for its type; refuses if the address is null, because the name is not
 * ours. Never much longer than the query.
 */
export function writeReply({ id, name, type }: DnsQuery, address: string | null): Buffer {
  const isWanted = address !== null && type === (isIPv4(address) ? 'A' : 'AAAA');
  const answers: Answer[] = isWanted
    ? [{ type: type as 'A' | 'AAAA', name, ttl: SHORT_LIVED_SECONDS, data: address }]
    : [];
  const flags = address === null ? REFUSED : packet.AUTHORITATIVE_ANSWER;
  // Types without a name in the library are read and written by number.
  return packet.encode({ type: 'response', id, flags, questions: [{ name, type: type as 'A' }], answers });
}
