import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CreditsBalance } from '@sortie/contract';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { type Answer, call } from '@sortie/testing/http/call.ts';
import { type Case, cases, type Expected, expectedOf, senders, states } from '@sortie/testing/idempotency/cases.ts';
import { CREDITS, type Played, type PlayedState, playState, type Timed } from '@sortie/testing/idempotency/player.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const FEWEST_CASES = isFull ? 400 : 200;

let world: World;
let folder: string;
let judged = 0;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-test-'));
  const catalogue = path.join(folder, 'catalogue.json');
  const free = { monthlyCredits: 0, scansPerMonth: null, concurrentPentests: 10_000 };
  await writeFile(catalogue, JSON.stringify({ plans: { free } }));
  // A node that only answers: nothing takes the runs out of the queue.
  const flags = ['--no-demo', '--role', 'api'];
  world = await createWorld({ env: { ...manyRequests, SORTIE_CATALOGUE: catalogue }, flags });
});
after(async () => {
  await world.end();
  await rm(folder, { recursive: true });
});

function assertFirst({ state, kind }: Case, first: Timed | undefined): void {
  if (state.first === 'none') {
    assert.equal(first, undefined);
    return;
  }
  assert.ok(first);
  const { answer } = first;
  if (state.first === 'refused') assertRefused(answer, kind === 'scan' ? 'TARGET_NOT_ASSIGNED' : 'FORBIDDEN');
  else if (state.first.startsWith('failed')) assertRefused(answer, 'INTERNAL_ERROR');
  else assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers['idempotent-replayed'], undefined);
}

function assertRetryAfter({ retryAfter }: Expected, first: Timed | undefined, second: Timed): void {
  const shown = second.answer.headers['retry-after'];
  if (retryAfter === null || !retryAfter.counts) {
    assert.equal(shown, retryAfter?.from.toString());
    return;
  }
  assert.match(String(shown), /^[1-9]\d*$/);
  assert.ok(first);
  // The hold began, and was looked at, somewhere between the sending of a request and its answer.
  const least = Math.ceil(retryAfter.from - (second.answeredAt - first.sentAt) / 1_000);
  const most = Math.ceil(retryAfter.from - (second.sentAt - first.answeredAt) / 1_000);
  assert.ok(Number(shown) >= least && Number(shown) <= most, `Retry-After ${shown}, not ${least} to ${most}`);
}

/** The members of a 201, and nothing besides. */
function assertStarted({ sentTo }: Case, { isGivenUp }: Expected, { status, text, body }: Answer): void {
  assert.equal(status, 201, text);
  const expected =
    sentTo === 'pentest'
      ? { id: body?.id, status: isGivenUp ? 'FAILED' : 'QUEUED' }
      : { id: body?.id, domain: 'example.test', status: isGivenUp ? 'COMPLETED' : 'STARTED' };
  assert.deepEqual(body, expected, text);
}

/** A refusal changes nothing, so the next request is refused alike; a run is answered with the same bytes from now on. */
function assertSecond(one: Case, expected: Expected, { first, second, again, runs }: Played): void {
  const { answer } = second;
  const isReplay = expected.answer === 'replayed';
  assert.equal(answer.headers['idempotent-replayed'], isReplay ? 'true' : undefined, answer.text);
  assertRetryAfter(expected, first, second);
  if (expected.answer === 'reused') {
    for (const each of [answer, again]) assertRefused(each, 'IDEMPOTENCY_KEY_REUSED');
  } else if (expected.answer === 'in progress') {
    for (const each of [answer, again]) assertRefused(each, 'IDEMPOTENCY_IN_PROGRESS');
  } else {
    assertStarted(one, expected, answer);
    const known = runs.map(({ id }) => id);
    assert.ok(known.includes(String(answer.body?.id)), `${answer.text} is none of ${known}`);
    assert.deepEqual([again.status, again.headers['idempotent-replayed'], again.text], [201, 'true', answer.text]);
    if (first?.answer.status === 201) assert.equal(answer.text === first.answer.text, isReplay, first.answer.text);
  }
}

function showRun({ account, kind, isGivenUp, credits }: Expected['runs'][number]): string {
  if (kind === 'scan') return `${account} scan ${isGivenUp ? 'COMPLETED with failure' : 'STARTED without failure'}`;
  const shown = isGivenUp ? `FAILED RETURNED ${credits} 0 ${credits}` : `QUEUED RESERVED ${credits} null null`;
  return `${account} pentest ${shown}`;
}

/** What is wrong with a case, so that one does not hide the others. */
function judge(one: Case, seen: Played | undefined): string[] {
  const expected = expectedOf(one);
  judged++;
  try {
    assert.ok(seen);
    assertFirst(one, seen.first);
    assertSecond(one, expected, seen);
    assert.deepEqual(seen.runs.map(({ shown }) => shown).sort(), expected.runs.map(showRun).sort());
    return [];
  } catch (error) {
    return [`${one.kind}, then ${one.sentTo} with ${one.body.name}: ${(error as Error).message}`];
  }
}

for (const state of states) {
  describe(`POST /v1/pentests and POST /v1/scans with a key that ${state.name}`, () => {
    const members = cases.filter((one) => one.state === state);
    let play: PlayedState;

    before(async () => {
      play = await playState(world, state);
    });

    for (const sender of senders) {
      it(`answer by the rules when the next request comes from ${sender}`, () => {
        const ofSender = members.filter((one) => one.sender === sender);
        const faults = ofSender.flatMap((one) => judge(one, play.played.get(one)));
        assert.deepEqual(faults, []);
      });
    }

    it('hold the credits of the runs that there are, and no others', async () => {
      const runs = members.flatMap((one) => expectedOf(one).runs);
      for (const account of ['own', 'other'] as const) {
        const charging = runs.filter((run) => run.account === account && !run.isGivenUp);
        const held = charging.reduce((sum, { credits }) => sum + credits, 0);
        const { apiKey } = play[account].member;
        const { body } = await call(`${world.server.baseUrl}/v1/credits/balance`, { key: apiKey });
        const balance = body as unknown as CreditsBalance;
        assert.deepEqual([balance.held, balance.available], [held, CREDITS - held], account);
      }
    });
  });
}

describe('the table of idempotency', () => {
  it(`has at least ${FEWEST_CASES} cases, and every answer occurs among them`, (test) => {
    test.diagnostic(`${judged} cases`);
    assert.equal(judged, cases.length);
    assert.ok(judged >= FEWEST_CASES, `${judged} cases`);
    const answers = new Set(cases.map((one) => expectedOf(one).answer));
    assert.deepEqual([...answers].sort(), ['in progress', 'replayed', 'reused', 'started']);
  });
});
