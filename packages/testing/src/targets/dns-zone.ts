import type { Answer } from 'dns-packet';
import type { DnsQuestion, startDnsServer } from './dns-server.ts';

/** Records by type and name, such as `MX site.test`, in zone file syntax. */
export type Zone = Readonly<Record<string, readonly string[]>>;

interface ZoneOptions {
  /** Names with valid DNSSEC signatures; includes the root if the server validates. */
  signed?: readonly string[];
  /** Names with invalid signatures. */
  forged?: readonly string[];
  /** Queries without a reply, and queries that fail. */
  silent?: Pick<RegExp, 'test'>;
  failing?: Pick<RegExp, 'test'>;
}

const SOA = { mname: 'ns.test', rname: 'root.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 };

function toAnswer(type: string, name: string, text: string): Answer {
  const words = text.split(' ');
  const [first = '', second = ''] = words;
  const rest = words.slice(2).join(' ');
  switch (type) {
    case 'TXT':
      return { type, name, data: text.match(/.{1,200}/gs) ?? [''] };
    case 'MX':
      return { type, name, data: { preference: Number(first), exchange: second } };
    case 'CAA':
      return { type, name, data: { flags: Number(first), tag: second as 'issue', value: rest } };
    case 'TLSA': {
      const certificate = Buffer.from(words[3] ?? '', 'hex');
      const data = { usage: Number(first), selector: Number(second), matchingType: Number(words[2]), certificate };
      return { type, name, data };
    }
    case 'DS':
      return { type, name, data: { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.alloc(32) } };
    case 'DNSKEY':
      return { type, name, data: { flags: 257, algorithm: 13, key: Buffer.alloc(64) } };
    case 'SOA':
      return { type, name, data: SOA };
    default:
      return { type: type as 'A', name, data: text };
  }
}

/** Returns the replies of a recursive resolver that knows only this zone. */
export function answersFrom(zone: Zone, options: ZoneOptions = {}): Parameters<typeof startDnsServer>[0] {
  const { signed = [], forged = [], silent, failing } = options;
  const isKnown = (name: string) => Object.keys(zone).some((key) => key.endsWith(` ${name}`));
  return ({ name, type, isUnchecked }: DnsQuestion) => {
    if (silent?.test(`${type} ${name}`)) return [];
    if (failing?.test(`${type} ${name}`) || (forged.includes(name) && !isUnchecked && type !== 'DS'))
      return { code: 2 };
    const answers: Answer[] = [];
    let current = name;
    for (let hops = 0; hops < 20; hops++) {
      const [alias] = zone[`CNAME ${current}`] ?? [];
      if (alias === undefined) break;
      answers.push({ type: 'CNAME', name: current, data: alias });
      current = alias;
    }
    answers.push(...(zone[`${type} ${current}`] ?? []).map((text) => toAnswer(type, current, text)));
    return { answers, code: isKnown(current) ? 0 : 3, isAuthentic: signed.includes(name) };
  };
}
