import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { ErrorCode } from '@sortie/contract';
import { assertRefused, shownLimit } from '@sortie/testing/http/assert-answer.ts';
import type { Answer } from '@sortie/testing/http/call.ts';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import {
  type Client,
  createClient,
  follow,
  followScan,
  idOf,
  pentestStart,
  scanStart,
  sendUntilFinal,
  urlOf,
} from '@sortie/testing/server/sandbox.ts';
import { assertNothingStarted, createStarter, startPentest } from '@sortie/testing/world/pentests.ts';
import { manyRequests, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
/** Starts runs. */
let client: Client;
/** Is refused. */
let refused: Client;

before(async () => {
  world = await createWorld({ env: manyRequests });
  client = await createClient(world);
  refused = await createClient(world);
});
after(() => world.end());

const starts = { pentest: pentestStart, scan: scanStart };

async function assertRunCompletes(kind: keyof typeof starts, id: string): Promise<void> {
  if (kind === 'scan') assert.equal((await followScan(world, client, id)).score, 100);
  else await follow(world, client, id, ({ status, reportReleased }) => status === 'COMPLETED' && reportReleased);
}

/** A 500, then 409 for three seconds: nobody gets through before. Answers the success. */
async function failThenSucceed(send: () => Promise<Answer>): Promise<Answer> {
  const since = performance.now();
  assertRefused(await send(), 'INTERNAL_ERROR');
  const { statuses, last } = await sendUntilFinal(send);
  assert.ok(performance.now() - since >= 3_000, statuses.join());
  assert.ok(
    statuses.slice(0, -1).every((status) => status === 409),
    statuses.join(),
  );
  return last;
}

describe('starts in the sandbox', { concurrency: true }, () => {
  for (const kind of ['pentest', 'scan'] as const) {
    it(`start-500-then-retry: the ${kind} that was created is answered once the key is free`, async () => {
      const last = await failThenSucceed(starts[kind](world, client, 'start-500-then-retry'));
      assert.equal(last.headers['idempotent-replayed'], 'true');
      await assertRunCompletes(kind, idOf(last));
    });

    it(`start-500-not-created: a retry starts the ${kind}`, async () => {
      const last = await failThenSucceed(starts[kind](world, client, 'start-500-not-created'));
      assert.equal(last.headers['idempotent-replayed'], undefined);
      await assertRunCompletes(kind, idOf(last));
    });

    for (const [story, code] of [
      ['start-409', 'IDEMPOTENCY_IN_PROGRESS'],
      ['rate-limited', 'RATE_LIMITED'],
    ] as const) {
      it(`${story}: the ${kind} is started after a while`, async () => {
        const send = starts[kind](world, client, story);
        const first = await send();
        assertRefused(first, code);
        assert.ok(Number(first.headers['retry-after']) >= 1);
        if (code === 'RATE_LIMITED') {
          const { remaining, reset } = shownLimit(first.headers);
          assert.deepEqual([remaining, reset], [0, Number(first.headers['retry-after'])]);
        }
        await assertRunCompletes(kind, idOf((await sendUntilFinal(send)).last));
      });
    }

    it(`edge-limited: the ${kind} is refused without a word at first`, async () => {
      const send = starts[kind](world, client, 'edge-limited');
      const first = await send();
      assert.deepEqual([first.status, first.text], [429, '']);
      assert.match(first.headers['retry-after'] ?? '', /^[12]$/);
      assert.deepEqual(
        Object.keys(first.headers).filter((name) => /^ratelimit-|^x-request-id$|^content-type$/.test(name)),
        [],
      );
      await assertRunCompletes(kind, idOf((await sendUntilFinal(send)).last));
    });
  }

  it('start-500-then-failed: a retry is answered by the pentest that was given up', async () => {
    const last = await failThenSucceed(pentestStart(world, client, 'start-500-then-failed'));
    assert.equal(last.headers['idempotent-replayed'], 'true');
    assert.equal(last.body?.status, 'FAILED');
    const { last: run } = await follow(world, client, idOf(last), () => true);
    assert.deepEqual([run.status, run.credits.state, run.credits.charged], ['FAILED', 'RETURNED', 0]);
  });

  it('start-500-then-failed: a retry is answered by the scan that was given up', async () => {
    const last = await failThenSucceed(scanStart(world, client, 'start-500-then-failed'));
    assert.equal(last.headers['idempotent-replayed'], 'true');
    const { score, failure } = await followScan(world, client, idOf(last));
    assert.deepEqual([score, failure?.code], [null, 'START_FAILED']);
  });

  it('concurrency: the message is the one that the service sends', async () => {
    const busy = await createStarter(world);
    for (let run = 0; run < 3; run++) await startPentest(world.server.baseUrl, busy, busy.target);
    const real = await start(world.server.baseUrl, '/v1/pentests', busy, busy.target);
    const staged = await createClient(world);
    await world.admin.account.setPlan({ id: staged.accountId, plan: 'free' });
    const { text, headers } = await pentestStart(world, staged, 'concurrency')();
    assert.equal(text, real.text);
    assert.equal(headers['retry-after'], real.headers['retry-after']);
  });

  it('concurrency: there is a place after a while', async () => {
    const send = pentestStart(world, client, 'concurrency');
    const refused = await send();
    assertRefused(refused, 'PENTEST_CONCURRENCY_EXCEEDED');
    assert.equal(refused.headers['retry-after'], undefined, 'the service cannot know when a pentest ends');
    await assertRunCompletes('pentest', idOf((await sendUntilFinal(send)).last));
  });

  it('a start is answered again, and with another body refused, as any other', async () => {
    const idempotencyKey = randomUUID();
    const body = { targetUrl: urlOf('released-clean'), verificationId: client.verificationId };
    const send = (sent: object) => start(world.server.baseUrl, '/v1/pentests', client, sent, { idempotencyKey });
    const first = await send(body);
    const second = await send(body);
    assert.equal(second.text, first.text);
    assert.equal(second.headers['idempotent-replayed'], 'true');
    assertRefused(await send({ ...body, targetUrl: urlOf('forbidden') }), 'IDEMPOTENCY_KEY_REUSED');
  });
});

const refusals: Record<string, [ErrorCode, ...('pentest' | 'scan')[]]> = {
  'insufficient-credits': ['INSUFFICIENT_CREDITS', 'pentest'],
  'key-budget': ['API_KEY_CAP_EXCEEDED', 'pentest'],
  'member-allowance': ['ORG_CREDIT_CAP_EXCEEDED', 'pentest'],
  'api-runs-disabled': ['TARGET_API_RUNS_DISABLED', 'pentest'],
  'not-found': ['NOT_FOUND', 'pentest'],
  'target-not-assigned': ['TARGET_NOT_ASSIGNED', 'scan'],
  'plan-limit': ['PLAN_LIMIT_EXCEEDED', 'scan'],
  forbidden: ['FORBIDDEN', 'pentest', 'scan'],
  'account-suspended': ['ACCOUNT_SUSPENDED', 'pentest', 'scan'],
  unauthorized: ['UNAUTHORIZED', 'pentest', 'scan'],
};

describe('refusals of the sandbox', () => {
  for (const [story, [code, ...kinds]] of Object.entries(refusals)) {
    it(`${story}: ${code}, however often`, async () => {
      for (const kind of kinds) {
        const send = starts[kind](world, refused, story);
        for (const answer of [await send(), await send()]) assertRefused(answer, code);
      }
    });
  }

  it('validation-error: names the URL', async () => {
    assertRefused(await pentestStart(world, refused, 'validation-error')(), 'VALIDATION_ERROR', 'targetUrl');
    assertRefused(await scanStart(world, refused, 'validation-error')(), 'VALIDATION_ERROR', 'url');
  });

  it('a name without a story is refused, and so is one for the other kind of run', async () => {
    assertRefused(await pentestStart(world, refused, 'no-such-story')(), 'VALIDATION_ERROR', 'targetUrl');
    assertRefused(await pentestStart(world, refused, 'toString')(), 'VALIDATION_ERROR', 'targetUrl');
    assertRefused(await pentestStart(world, refused, 'www.released-clean')(), 'VALIDATION_ERROR', 'targetUrl');
    assertRefused(await pentestStart(world, refused, 'scan-clean')(), 'VALIDATION_ERROR', 'targetUrl');
    assertRefused(await scanStart(world, refused, 'released-clean')(), 'VALIDATION_ERROR', 'url');
  });

  it('the rules of any start hold, too', async () => {
    const stranger = await world.createMember();
    const unverified = { ...stranger, verificationId: refused.verificationId };
    assertRefused(await pentestStart(world, unverified, 'released-clean')(), 'NOT_FOUND');
  });

  it('nothing was started by them, nor held', () => assertNothingStarted(world.server.baseUrl, refused));

  it('every credit is accounted for', async () => {
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
