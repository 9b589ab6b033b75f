import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { startDnsServer, writeReply } from '@sortie/testing/targets/dns-server.ts';
import { createHostileAnswering, type HostileReplies, hostileReplies } from '@sortie/testing/targets/hostile-names.ts';
import fc from 'fast-check';
import { type DnsArtifacts, gatherDns } from '../evidence/dns/gather-dns.ts';
import { toEvidence } from '../evidence/evidence.ts';
import { isMissing } from '../evidence/missing.ts';
import type { Exchange, TargetRequest } from '../http/exchange/exchange.ts';
import { ScanFinding } from '../protocol/finding.ts';
import { createDnsClient, dnsLimits } from '../target/dns/client.ts';
import { readAnswer, writeQuery } from '../target/dns/message.ts';
import { toArtifacts } from './define-passive-check.ts';
import { loadPassiveChecks } from './load-checks.ts';
import { runCheck } from './run-checks.ts';

const SERVERS = isFull ? 2_000 : 50;
const MESSAGES = isFull ? 200_000 : 1_500;
const SEED = 20_261_115;
const AT_ONCE = 12;

const checks = (await loadPassiveChecks()).filter(({ group }) => group === 'dns' || group === 'email');
const url = 'https://www.site.test/';
const policies = ['version: STSv1\nmode: enforce\nmx: *.site.test\nmax_age: 1', 'mx:'.repeat(9_000), '\0\xff', ''];

async function visit(replies: HostileReplies, index: number): Promise<{ dns: DnsArtifacts; asked: number }> {
  await using cleanUp = new AsyncDisposableStack();
  const server = await startDnsServer(createHostileAnswering(replies));
  cleanUp.defer(() => server.close());
  let requests = 0;
  const send = async (request: TargetRequest): Promise<Exchange> => {
    requests++;
    const body = Buffer.from(policies[index % policies.length] ?? '', 'latin1');
    const response = { status: 200, headers: [], body, isCut: false };
    return { request, response, failure: null, remote: null, firstByteMs: 0, durationMs: 0 };
  };
  const client = createDnsClient([server.address], { ...dnsLimits, tryMs: 200 });
  const dns = await gatherDns({ send }, client, { hops: [{ url, status: 200, headers: [] }] });
  assert.ok(server.asked.length <= dnsLimits.packets, `${server.asked.length} questions`);
  assert.ok(requests <= 1, `${requests} requests`);
  return { dns, asked: server.asked.length };
}

/** Runs each check by itself, because `runChecks` would catch an error. */
function runEach(dns: DnsArtifacts): string[] {
  const evidence = toEvidence({ ...toArtifacts({}), ...dns });
  const able = checks.filter(({ needs }) => !needs.some((name) => isMissing(evidence[name])));
  return able.flatMap((check) =>
    runCheck(check, evidence).map(
      ({ group: _, ...finding }) => ScanFinding.parse({ ...finding, scoreImpact: 0 }).checkId,
    ),
  );
}

describe('a hostile name server', () => {
  it('breaks neither a collector nor a check, and gets no more questions than others', async () => {
    const waiting = fc.sample(hostileReplies, { numRuns: SERVERS, seed: SEED }).entries();
    const [there, missing] = [new Map<string, number>(), new Map<string, number>()];
    const failed = new Set<string>();
    let asked = 0;
    async function work(): Promise<void> {
      for (const [index, replies] of waiting) {
        const visited = await visit(replies, index);
        asked += visited.asked;
        assert.deepEqual(JSON.parse(JSON.stringify(visited.dns)), visited.dns);
        for (const checkId of runEach(visited.dns)) failed.add(checkId);
        for (const [name, value] of Object.entries(visited.dns)) {
          const counts = isMissing(value) ? missing : there;
          counts.set(name, (counts.get(name) ?? 0) + 1);
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    console.log(`${SERVERS} servers, ${asked} questions, gathered ${JSON.stringify(Object.fromEntries(there))}`);
    console.log(`${failed.size} of ${checks.length} checks failed somewhere`);
    assert.ok(failed.size > checks.length / 2, 'too few checks had anything to find');
    assert.ok(asked > SERVERS * 10, 'too few questions were asked');
    for (const [name, count] of there) assert.ok(count > SERVERS / 100, `${name} was gathered ${count} times only`);
    for (const [name, count] of missing) assert.ok(count > SERVERS / 100, `${name} was missing ${count} times only`);
    assert.deepEqual([there.size, missing.size], [12, 12]);
  });
});

describe('an answer of any bytes', () => {
  it('is read or refused', () => {
    const query = writeQuery({ name: 'site.test', type: 'TXT' });
    const outcomes = new Map<string, number>();
    const whole = writeReply(
      { ...query },
      {
        answers: [
          { type: 'TXT', name: 'site.test', data: ['v=spf1 -all'] },
          { type: 'CNAME', name: 'a.test', data: 'b.test' },
        ],
      },
    );
    const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.integer({ min: 0, max: 255 }) });
    const changed = fc.tuple(fc.array(change, { maxLength: 5 }), fc.nat(whole.length)).map(([changes, cut]) => {
      const bytes = Buffer.from(whole);
      for (const { at, byte } of changes) bytes[at] = byte;
      return bytes.subarray(0, cut % 3 === 0 ? cut : whole.length);
    });
    fc.assert(
      fc.property(changed, (bytes) => {
        const answer = readAnswer(bytes, query);
        const outcome = typeof answer === 'string' ? answer : 'READ';
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }),
      { numRuns: MESSAGES, seed: SEED },
    );
    console.log(`${MESSAGES} messages: ${JSON.stringify(Object.fromEntries(outcomes))}`);
    for (const outcome of ['READ', 'FOREIGN', 'CUT', 'GARBAGE']) {
      assert.ok((outcomes.get(outcome) ?? 0) > MESSAGES / 1_000, `${outcome} was seen too rarely`);
    }
  });
});
