import { randomInt } from 'node:crypto';
import packet, { type Answer } from 'dns-packet';

type AskedType = 'A' | 'AAAA' | 'CAA' | 'DNSKEY' | 'DS' | 'MX' | 'NS' | 'SOA' | 'TLSA' | 'TXT';

/** The data of records by type, as plain values. */
interface RecordData {
  A: { data: string };
  AAAA: { data: string };
  CNAME: { data: string };
  NS: { data: string };
  /** One character per byte, with the strings of the record concatenated. */
  TXT: { data: string };
  MX: { preference: number; exchange: string };
  CAA: { flags: number; tag: string; value: string };
  /** The data is in hex. */
  TLSA: { usage: number; selector: number; matchingType: number; data: string };
  DS: object;
  DNSKEY: object;
  SOA: object;
}

/** Names are in lower case, without a trailing dot. */
export type RecordOf<Type extends keyof RecordData> = { name: string; type: Type } & RecordData[Type];
type DnsRecord = { [Type in keyof RecordData]: RecordOf<Type> }[keyof RecordData];

export interface DnsAnswer {
  /** Response code of the name server; all but the first two mean that it does not know. */
  code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'OTHER';
  /** Whether the name server validated the DNSSEC signatures (AD flag). */
  isAuthentic: boolean;
  /** Includes the CNAME records on the way. */
  records: readonly DnsRecord[];
}

export const recordsOf = <Type extends keyof RecordData>({ records }: DnsAnswer, type: Type) =>
  records.filter((record): record is Extract<DnsRecord, { type: Type }> => record.type === type);

export interface Question {
  name: string;
  type: AskedType;
  /** Whether to request DNSSEC records (DO flag). */
  wantsDnssec?: boolean;
  /** Whether to request a response even if its signatures are invalid (CD flag). */
  isUnchecked?: boolean;
}

export interface Query extends Question {
  id: number;
  bytes: Buffer;
}

/** Fits into one packet without fragmentation on any network. */
const MAX_UDP = 1_232;
/** Legitimate responses have far fewer; parsing each may traverse the whole message. */
const MAX_RECORDS = 200;
const HEADER = 12;
const codes: Record<number, DnsAnswer['code']> = { 0: 'NOERROR', 2: 'SERVFAIL', 3: 'NXDOMAIN' };
const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '');

/** Whether a name can be queried: records may contain arbitrary names. The root is the empty name. */
export const isName = (name: string) => name === '' || NAME.test(name);

/** Returns a DNS query as bytes, with its random id. */
export function writeQuery(question: Question): Query {
  const { name, type, wantsDnssec = false, isUnchecked = false } = question;
  const id = randomInt(0x1_0000);
  const bytes = packet.encode({
    type: 'query',
    id,
    flags: packet.RECURSION_DESIRED | packet.AUTHENTIC_DATA | (isUnchecked ? packet.CHECKING_DISABLED : 0),
    questions: [{ type, name: name || '.' }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: MAX_UDP,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: wantsDnssec ? packet.DNSSEC_OK : 0,
        flag_do: wantsDnssec,
        options: [],
      },
    ],
  });
  return { ...question, id, bytes };
}

function toRecord(answer: Answer): DnsRecord[] {
  const name = plainName(answer.name);
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return [{ name, type: answer.type, data: answer.data }];
    case 'CNAME':
    case 'NS':
      return [{ name, type: answer.type, data: plainName(answer.data) }];
    case 'TXT':
      return [{ name, type: 'TXT', data: [answer.data].flat().map(latin1).join('') }];
    case 'MX':
      return [{ name, type: 'MX', preference: answer.data.preference ?? 0, exchange: plainName(answer.data.exchange) }];
    case 'CAA':
      return [{ name, type: 'CAA', flags: answer.data.flags ?? 0, tag: answer.data.tag, value: answer.data.value }];
    case 'TLSA': {
      const { usage, selector, matchingType, certificate } = answer.data;
      return [{ name, type: 'TLSA', usage, selector, matchingType, data: certificate.toString('hex') }];
    }
    case 'DS':
    case 'DNSKEY':
    case 'SOA':
      return [{ name, type: answer.type }];
    default:
      return [];
  }
}

const latin1 = (piece: string | Buffer) => (typeof piece === 'string' ? piece : piece.toString('latin1'));

/**
 * Returns `FOREIGN` for a message that is no response to this query, `CUT` for a truncated one, `GARBAGE` for one that
 * cannot be parsed. The name of the root reads as a dot.
 */
export function readAnswer(bytes: Buffer, query: Query): DnsAnswer | 'FOREIGN' | 'CUT' | 'GARBAGE' {
  if (bytes.length < HEADER || bytes.readUInt16BE(0) !== query.id) return 'FOREIGN';
  const flags = bytes.readUInt16BE(2);
  if ((flags & 0x8000) === 0) return 'FOREIGN';
  if (flags & packet.TRUNCATED_RESPONSE) return 'CUT';
  const count = [6, 8, 10].reduce((sum, at) => sum + bytes.readUInt16BE(at), 0);
  if (count > MAX_RECORDS) return 'GARBAGE';
  try {
    const { questions = [], answers = [], flag_ad } = packet.decode(bytes);
    const [asked] = questions;
    const isOurs = questions.length === 1 && asked && plainName(asked.name) === query.name && asked.type === query.type;
    if (!isOurs) return 'FOREIGN';
    const records = answers.flatMap(toRecord);
    return { code: codes[flags & 0xf] ?? 'OTHER', isAuthentic: flag_ad, records };
  } catch {
    return 'GARBAGE';
  }
}
