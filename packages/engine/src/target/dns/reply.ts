import { isIPv4 } from 'node:net';
import packet, { type Answer } from 'dns-packet';

/** A question that somebody has for a name server. */
export interface Asked {
  id: number;
  /** As it was asked, for the reply; some resolvers mix small and capital letters and look whether they come back. */
  name: string;
  type: string;
}

const HEADER = 12;
/** Longer than any question with one name in it. */
const LONGEST = 512;
const SHORT_LIVED_SECONDS = 5;
const REFUSED = 5;

/** Undefined for what is no question, or several. */
export function readQuestion(bytes: Buffer): Asked | undefined {
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

/** With the address where there is one of the type; null where the name is not ours. Never much longer than the question. */
export function writeReply({ id, name, type }: Asked, address: string | null): Buffer {
  const isWanted = address !== null && type === (isIPv4(address) ? 'A' : 'AAAA');
  const answers: Answer[] = isWanted
    ? [{ type: type as 'A' | 'AAAA', name, ttl: SHORT_LIVED_SECONDS, data: address }]
    : [];
  const flags = address === null ? REFUSED : packet.AUTHORITATIVE_ANSWER;
  // A type that the library has no name for it reads and writes by its number.
  return packet.encode({ type: 'response', id, flags, questions: [{ name, type: type as 'A' }], answers });
}
