import type { Answer } from 'dns-packet';
import fc from 'fast-check';
import { type DnsQuestion, writeReply } from './dns-server.ts';

const names = [
  'site.test',
  'www.site.test',
  '_dmarc.site.test',
  'a.test',
  'b.a.test',
  'gone.service.test',
  'x'.repeat(63),
  `${'y'.repeat(63)}.`.repeat(3),
  'a b.test',
  '*.test',
  '',
  '.',
  'é.test',
  'a\0b.test',
];

const texts = [
  'v=spf1 -all',
  'v=spf1 +all',
  'v=spf1 ?all',
  'v=spf1 mx a ptr ~all',
  `v=spf1 ${'include:a.test '.repeat(12)}~all`,
  'v=spf1 include:site.test redirect=a.test',
  'v=spf1 redirect=site.test',
  'v=spf1 include:%{i}.%{d} exists:%{l}.a.test a:..//// mx:/0',
  `v=spf1 ${'a:'.repeat(200)}`,
  'v=DMARC1; p=reject',
  'v=DMARC1; p=none; sp=; rua=mailto:a@b.test,mailto:@,,http://a.test!1k; ruf=mailto:x@site.test!5m',
  'v=DMARC1; p=block; p=reject; =; ;; t=y; np',
  `v=DMARC1;${' '.repeat(2_000)}p`,
  `v=DMARC1; rua=${'mailto:a@b.test,'.repeat(200)}`,
  'v=STSv1; id=1',
  'v=TLSRPTv1; rua=mailto:a@b.test',
  'v=DKIM1; k=rsa; p=MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAA==',
  'v=DKIM1; t=y:s; p=AAAA',
  'p=',
  `p=${'A'.repeat(3_000)}`,
  '\0\xff"\\;',
  '',
  'k='.repeat(1_000),
];

const word = fc.constantFrom(...texts.flatMap((text) => text.split(/([ ;:=,])/)).filter((part) => part.length < 40));
const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('v=spf1 ', 'v=DMARC1; ', 'v=STSv1; ', ''), fc.array(word, { maxLength: 40 }))
      .map(([version, words]) => version + words.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
);
const name = fc.constantFrom(...names);
const small = fc.integer({ min: 0, max: 255 });
const bytes = fc.uint8Array({ maxLength: 80 }).map((some) => Buffer.from(some));

const some = <Data>(data: fc.Arbitrary<Data>) => fc.array(fc.record({ name, data }), { maxLength: 4 });
const modulo = (most: number) => small.map((one) => one % most);
const inPieces = (all: string) => all.match(/.{1,80}/gs) ?? [''];

const records = fc.record({
  A: some(fc.constantFrom('192.0.2.1', '10.0.0.1', '8.8.8.8')),
  AAAA: some(fc.constantFrom('2001:db8::1', '::1', '2606:4700::1')),
  CNAME: some(name),
  NS: some(name),
  TXT: some(text.map(inPieces)),
  MX: some(fc.record({ preference: small, exchange: name })),
  CAA: some(
    fc.record({
      flags: small,
      tag: fc.constantFrom('issue', 'issuewild', 'iodef', '', 'a b', 'tbs'),
      value: fc.constantFrom(';', 'ca.test', 'letsencrypt.org; a=b', 'https://x', '\0', ' '.repeat(200)),
    }),
  ),
  TLSA: some(fc.record({ usage: modulo(5), selector: modulo(3), matchingType: modulo(4), certificate: bytes })),
  DS: some(fc.record({ keyTag: small, algorithm: small, digestType: small, digest: bytes })),
  DNSKEY: some(fc.record({ flags: small, algorithm: small, key: bytes })),
  URI: some(bytes),
});

type Damage = (reply: Buffer, question: DnsQuestion) => readonly Buffer[];

/** A chain of compression pointers, each to the name in the previous record. */
function bomb(reply: Buffer, count: number): Buffer {
  const pointers = Array.from({ length: count }, (_, index) => {
    const pointer = Buffer.alloc(12);
    pointer.writeUInt16BE(0xc000 | Math.min(0x3fff, index === 0 ? 12 : reply.length + (index - 1) * 12), 0);
    pointer.writeUInt16BE(65_280, 2);
    return pointer;
  });
  reply.writeUInt16BE(count, 6);
  return Buffer.concat([reply, ...pointers]);
}

function flipped(reply: Buffer, places: readonly number[]): Buffer {
  for (const place of places) reply[place % reply.length] = (place * 7) & 0xff;
  return reply;
}

const spots = fc.array(fc.nat(), { maxLength: 6 });
const damage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 40, arbitrary: fc.constant<Damage>((reply) => [reply]) },
  {
    weight: 6,
    arbitrary: spots.map<Damage>((places) => (reply) => [
      flipped(
        reply,
        places.map((one) => one + 12),
      ),
    ]),
  },
  { weight: 2, arbitrary: spots.map<Damage>((places) => (reply) => [flipped(reply, places)]) },
  { weight: 2, arbitrary: fc.nat().map<Damage>((at) => (reply) => [reply.subarray(0, at % (reply.length + 1))]) },
  { weight: 2, arbitrary: bytes.map<Damage>((some) => (reply) => [some, Buffer.concat([reply, some])]) },
  { weight: 2, arbitrary: fc.constantFrom(3, 60, 120).map<Damage>((count) => (reply) => [bomb(reply, count)]) },
  {
    weight: 2,
    arbitrary: fc.constant<Damage>((reply, { isByTcp }) => {
      if (!isByTcp) reply.writeUInt16BE(reply.readUInt16BE(2) | 0x200, 2);
      return [reply];
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Damage>((reply) => {
      const lie = Buffer.from(reply);
      lie.writeUInt16BE((lie.readUInt16BE(0) + 1) & 0xffff, 0);
      return [lie, lie, reply];
    }),
  },
  { weight: 1, arbitrary: fc.constant<Damage>(() => []) },
);

const reply = fc.record({
  records,
  /** Only records of the queried type and name, occasionally with aliases. */
  isFitting: fc.integer({ min: 0, max: 4 }).map((one) => one > 0),
  hasAlias: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
  code: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 4, arbitrary: fc.constantFrom(2, 3, 5, 15) }),
  isAuthentic: fc.boolean(),
  damage,
});

/** Replies of a hostile name server, used in rotation. */
export const hostileReplies = fc.array(reply, { minLength: 1, maxLength: 12 });
export type HostileReplies = typeof hostileReplies extends fc.Arbitrary<infer Replies> ? Replies : never;

function answersOf({ records, isFitting, hasAlias }: HostileReplies[number], asked: DnsQuestion): Answer[] {
  const all = Object.entries(records).flatMap(([type, list]) => list.map((one) => ({ type, ...one }) as Answer));
  if (!isFitting) return all.slice(0, 8);
  return all
    .filter(({ type }) => type === asked.type || (hasAlias && type === 'CNAME'))
    .map((answer) => ({ ...answer, name: asked.name }));
}

export function createHostileAnswering(replies: HostileReplies): (question: DnsQuestion) => readonly Buffer[] {
  let next = 0;
  return (question) => {
    const reply = replies[next++ % replies.length] as HostileReplies[number];
    try {
      const { code, isAuthentic } = reply;
      return reply.damage(writeReply(question, { code, isAuthentic, answers: answersOf(reply, question) }), question);
    } catch {
      // The DNS library cannot encode this.
      return [Buffer.alloc(40, 0xc0)];
    }
  };
}
