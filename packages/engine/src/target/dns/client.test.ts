import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DnsQuestion, startDnsServer, writeReply } from '@sortie/testing/targets/dns-server.ts';
import type { Answer } from 'dns-packet';
import { createDnsClient, dnsLimits } from './client.ts';
import type { Question } from './message.ts';

type Answering = Parameters<typeof startDnsServer>[0];

const address = (name: string, data = '192.0.2.1'): Answer => ({ type: 'A', name, ttl: 1, data });
const withId = (bytes: Buffer, id: number) => {
  bytes.writeUInt16BE(id & 0xffff, 0);
  return bytes;
};
const SILENCE: readonly Buffer[] = [];

/** Returns the outcome of one query to a server that responds this way, and the queries the server received. */
async function ask(answer: Answering, question: Partial<Question> = {}, limits = {}) {
  await using cleanUp = new AsyncDisposableStack();
  const server = await startDnsServer(answer);
  cleanUp.defer(() => server.close());
  const client = createDnsClient([server.address], { ...dnsLimits, ...limits });
  const outcome = await client.ask({ name: 'shop.test', type: 'A', ...question });
  return { outcome, asked: server.asked, left: client.packetsLeft() };
}

const FOUND = { code: 'NOERROR', isAuthentic: false, records: [{ name: 'shop.test', type: 'A', data: '192.0.2.1' }] };

describe('a question to a name server', () => {
  it('brings back what there is, the word of the name server about signatures with it', async () => {
    const { outcome, asked, left } = await ask(({ name }) => ({ answers: [address(name)], isAuthentic: true }));
    assert.deepEqual(outcome, { ...FOUND, isAuthentic: true });
    assert.deepEqual([asked, left], [['A shop.test'], 39]);
  });

  it('reads records of every type', async () => {
    const name = 'shop.test';
    const answers: Answer[] = [
      { type: 'CNAME', name, data: 'A.Shop.test.' },
      { type: 'TXT', name, data: ['v=spf1 ', Buffer.from('-all\xff', 'latin1')] },
      { type: 'MX', name, data: { preference: 0, exchange: '.' } },
      { type: 'CAA', name, data: { flags: 128, tag: 'issue', value: 'ca.test' } },
      {
        type: 'TLSA',
        name,
        data: { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from('abcd', 'hex') },
      },
      { type: 'DS', name, data: { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.alloc(32) } },
      { type: 'URI', name, data: Buffer.alloc(9) },
    ];
    const { outcome } = await ask(() => ({ answers }));
    assert.deepEqual('records' in outcome && outcome.records, [
      { name, type: 'CNAME', data: 'a.shop.test' },
      { name, type: 'TXT', data: 'v=spf1 -all\xff' },
      { name, type: 'MX', preference: 0, exchange: '' },
      { name, type: 'CAA', flags: 128, tag: 'issue', value: 'ca.test' },
      { name, type: 'TLSA', usage: 3, selector: 1, matchingType: 1, data: 'abcd' },
      { name, type: 'DS' },
    ]);
  });

  it('says whether signatures are wanted, and whether they are to be checked', async () => {
    const seen: Partial<DnsQuestion>[] = [];
    const note: Answering = ({ isUnchecked, wantsDnssec }) => {
      seen.push({ isUnchecked, wantsDnssec });
      return {};
    };
    await ask(note);
    await ask(note, { wantsDnssec: true, isUnchecked: true });
    assert.deepEqual(seen, [
      { isUnchecked: false, wantsDnssec: false },
      { isUnchecked: true, wantsDnssec: true },
    ]);
  });

  it('asks by TCP for what does not fit into a packet', async () => {
    const { outcome, asked, left } = await ask(({ name, isByTcp }) => ({ answers: [address(name)], isCut: !isByTcp }));
    assert.deepEqual(outcome, FOUND);
    assert.deepEqual([asked, left], [['A shop.test', 'A shop.test by TCP'], 38]);
  });

  it('tells a name that is not there from one without such records', async () => {
    const gone = await ask(() => ({ code: 3 }));
    const empty = await ask(() => ({}));
    assert.deepEqual(
      [gone, empty].map(({ outcome, asked }) => ['code' in outcome && outcome.code, asked.length]),
      [
        ['NXDOMAIN', 1],
        ['NOERROR', 1],
      ],
    );
  });

  it('asks once more after a failure, and then says so', async () => {
    let times = 0;
    const once = await ask(({ name }) => (++times === 1 ? { code: 2 } : { answers: [address(name)] }));
    assert.deepEqual(once.outcome, FOUND);
    const always = await ask(() => ({ code: 2 }));
    assert.deepEqual([always.outcome, always.asked.length], [{ code: 'SERVFAIL', isAuthentic: false, records: [] }, 2]);
  });

  it('asks the next name server when the first is silent', async () => {
    await using cleanUp = new AsyncDisposableStack();
    const silent = await startDnsServer(() => SILENCE);
    const good = await startDnsServer(({ name }) => ({ answers: [address(name)] }));
    cleanUp.defer(async () => void (await Promise.all([silent.close(), good.close()])));
    const client = createDnsClient([silent.address, good.address], { ...dnsLimits, tryMs: 1_000 });
    assert.deepEqual(await client.ask({ name: 'shop.test', type: 'A' }), FOUND);
    assert.deepEqual([silent.asked.length, good.asked.length], [1, 1]);
  });
});

describe('what is no answer', () => {
  it('is a packet with another id or about something else: whoever waits goes on waiting', async () => {
    const { outcome } = await ask((question) => [
      withId(writeReply(question, { answers: [address('shop.test', '203.0.113.1')] }), question.id + 1),
      writeReply({ ...question, name: 'other.test' }, { answers: [address('other.test', '203.0.113.2')] }),
      writeReply({ ...question, type: 'AAAA' }, {}),
      Buffer.from('hello'),
      writeReply(question, { answers: [address('shop.test')] }),
    ]);
    assert.deepEqual(outcome, FOUND);
  });

  it('is silence', async () => {
    const { outcome, asked } = await ask(() => SILENCE, {}, { tryMs: 50 });
    assert.deepEqual([outcome, asked.length], [{ failure: 'The name servers did not respond in time.' }, 2]);
  });

  it('is a flood of guesses', async () => {
    const flood: Answering = (question) =>
      Array.from({ length: 150 }, (_, index) => withId(writeReply(question, {}), question.id + 1 + index));
    assert.deepEqual((await ask(flood)).outcome, {
      failure: 'The response of the name servers is malformed.',
    });
  });

  it('is a long promise by TCP, or one that is not kept', async () => {
    for (const bytes of [Buffer.alloc(40_000), Buffer.alloc(0)]) {
      const { outcome } = await ask((question) => (question.isByTcp ? [bytes] : { isCut: true }));
      assert.ok('failure' in outcome);
    }
  });

  it('is one with more records than anybody needs', async () => {
    const withRecords = (count: number) =>
      ask(({ name, isByTcp }) =>
        isByTcp ? { answers: Array.from({ length: count }, () => address(name)) } : { isCut: true },
      );
    const [many, tooMany] = [await withRecords(200), await withRecords(201)];
    assert.equal('records' in many.outcome && many.outcome.records.length, 200);
    assert.deepEqual(tooMany.outcome, { failure: 'The response of the name servers is malformed.' });
  });

  it('is a name that runs in circles, or unpacks to more than it may', async () => {
    for (const name of [
      Buffer.from([0xc0, 0x1b]),
      Buffer.concat([Buffer.from([63]), Buffer.alloc(63, 'a'), Buffer.from([0xc0, 0x1b])]),
    ]) {
      const { outcome } = await ask((question) => {
        const reply = writeReply(question, {});
        reply.writeUInt16BE(50, 6);
        return [Buffer.concat([reply, name, Buffer.alloc(10)])];
      });
      assert.deepEqual(outcome, { failure: 'The response of the name servers is malformed.' });
    }
  });
});

describe('the questions of a scan', () => {
  it('end when they are used up, repetitions and those by TCP counted', async () => {
    await using cleanUp = new AsyncDisposableStack();
    const server = await startDnsServer(({ name, isByTcp }) =>
      name.startsWith('cut') ? { isCut: !isByTcp } : { code: 2 },
    );
    cleanUp.defer(() => server.close());
    const client = createDnsClient([server.address]);
    const names = Array.from({ length: 40 }, (_, index) => `${index % 2 ? 'cut' : 'broken'}-${index}.test`);
    const outcomes = await Promise.all(names.map((name) => client.ask({ name, type: 'TXT' })));
    assert.deepEqual([server.asked.length, client.packetsLeft()], [40, 0]);
    assert.ok(outcomes.some((one) => 'failure' in one && /used up/.test(one.failure)));
  });

  it('end when their time is over', async () => {
    const { outcome, asked } = await ask(() => ({}), {}, { untilMs: -1 });
    assert.deepEqual([outcome, asked.length], [{ failure: 'The time budget for DNS queries is used up.' }, 0]);
  });

  it('are about names only', async () => {
    for (const name of ['a b.test', `${'a'.repeat(64)}.test`, 'a..test', '%{i}.test', `${'a.'.repeat(126)}test`]) {
      const { outcome, asked } = await ask(() => ({}), { name });
      assert.deepEqual([outcome, asked.length], [{ failure: 'This is not a valid DNS name.' }, 0]);
    }
  });

  it('go nowhere without a name server', async () => {
    const client = createDnsClient(['nonsense']);
    assert.deepEqual(await client.ask({ name: '', type: 'SOA' }), { failure: 'No name server is configured.' });
  });
});
