import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Admin, openAdmin, readCatalogue } from '@sortie/server';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { serviceNow } from '@sortie/testing/inside/server.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createScanning, isReplay, readStarted, scanWorld } from '@sortie/testing/world/scans.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;
/** An operator who knows the same plans as the server. */
let operator: Admin;
let folder: string;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-scans-'));
  const catalogue = path.join(folder, 'catalogue.json');
  const pilot = { monthlyCredits: 0, scansPerMonth: 2, concurrentPentests: 1 };
  await writeFile(catalogue, JSON.stringify({ plans: { pilot } }));
  world = await createWorld({ ...scanWorld, env: { ...scanWorld.env, SORTIE_CATALOGUE: catalogue } });
  operator = openAdmin({ connection: world.testDatabase.connection, catalogue: readCatalogue(catalogue) });
});
after(async () => {
  await operator.close();
  await world.end();
  await rm(folder, { recursive: true });
});

const { startScan, started, readScan, assign } = createScanning(() => world);

const now = () => serviceNow(world.testDatabase.database.queries);
const advance = (duration: string) => world.admin.clock.advance({ duration });

async function createAccount(plan: string): Promise<string> {
  return (await operator.account.create({ name: 'Test account', kind: 'organization', plan })).id;
}

/** A start whose scan was created, but never came into the queue. */
async function failToStart(member: Member, idempotencyKey: string, url = 'https://www.example.com/'): Promise<string> {
  await world.admin.fault.handover({ failNext: '1' });
  assertRefused(await startScan(member, url, idempotencyKey), 'INTERNAL_ERROR');
  const { rows } = await world.testDatabase.database.pool.query(
    'select run_id from idempotency_claim where account_id = $1 and idempotency_key = $2',
    [member.accountId, idempotencyKey],
  );
  return rows[0].run_id;
}

/** Every node looks for due work at least every ten seconds. */
const untilCompleted = (member: Member, id: string) =>
  waitFor(async () => (await readScan(member, id)).status === 'COMPLETED', {
    what: `scan ${id} to be given up`,
    withinMs: 30_000,
  });

describe('POST /v1/scans answers 403 PLAN_LIMIT_EXCEEDED', () => {
  let owner: Member;

  const nextMonth = async () => {
    const today = await now();
    return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1);
  };
  const advanceTo = async (instant: number) => advance(`${Math.ceil((instant - (await now()).getTime()) / 1000)}s`);

  beforeEach(async () => {
    // Most of a calendar month lies ahead, whatever the day on which this runs.
    await advanceTo((await nextMonth()) + 24 * 3_600_000);
    owner = await world.createMember({ accountId: await createAccount('pilot') });
  });

  it("when the plan's scans of the calendar month are used up, until the next one begins in UTC", async () => {
    const [key, late] = [randomUUID(), randomUUID()];
    const url = 'https://www.example.com/';
    const first = await startScan(owner, url, key);
    await started(owner);
    assertRefused(await startScan(owner, url, late), 'PLAN_LIMIT_EXCEEDED');
    assert.equal((await startScan(owner, url, key)).text, first.text);
    const end = await nextMonth();
    await advanceTo(end - 60_000);
    assertRefused(await startScan(owner, url, late), 'PLAN_LIMIT_EXCEEDED');
    await advanceTo(end);
    assert.ok(!isReplay(await startScan(owner, url, late)));
    await started(owner);
    assertRefused(await startScan(owner, url), 'PLAN_LIMIT_EXCEEDED');
  });

  it('but a replay does not count', async () => {
    const key = randomUUID();
    for (const expected of [false, true, true, true]) {
      const answer = await startScan(owner, 'https://www.example.com/', key);
      assert.deepEqual([answer.status, isReplay(answer)], [201, expected]);
    }
    await started(owner);
  });

  it('to the whole account, however many keys and members it has, and to no other', async () => {
    const colleague = await world.createMember({ accountId: owner.accountId, role: 'ADMIN' });
    await started(owner);
    await started(await world.createKey(owner));
    assertRefused(await startScan(colleague, 'https://www.example.com/'), 'PLAN_LIMIT_EXCEEDED');
    await started(await world.createMember({ accountId: await createAccount('pilot') }));
    await started(await world.createMember({ accountId: await createAccount('free') }));
  });

  it('to all but two of eight starts at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => startScan(owner, 'https://www.example.com/')));
    assert.deepEqual(answers.map(({ body }) => body?.status ?? body?.code).toSorted(), [
      ...Array<string>(6).fill('PLAN_LIMIT_EXCEEDED'),
      'STARTED',
      'STARTED',
    ]);
  });

  it('only after TARGET_NOT_ASSIGNED', async () => {
    const member = await world.createMember({ accountId: owner.accountId, role: 'MEMBER' });
    await assign(member, 'https://shop.example.test/');
    await started(owner);
    await started(member, 'https://shop.example.test/');
    assertRefused(await startScan(member, 'https://shop.example.test/'), 'PLAN_LIMIT_EXCEEDED');
    assertRefused(await startScan(member, 'https://other.example.test/'), 'TARGET_NOT_ASSIGNED');
  });

  it('but a scan that was never handed over and was given up does not count', async () => {
    await started(owner);
    const id = await failToStart(owner, randomUUID());
    assertRefused(await startScan(owner, 'https://www.example.com/'), 'PLAN_LIMIT_EXCEEDED');
    await advance('6m');
    await untilCompleted(owner, id);
    await started(owner);
    assertRefused(await startScan(owner, 'https://www.example.com/'), 'PLAN_LIMIT_EXCEEDED');
  });
});

describe('a scan whose hand-over failed', () => {
  const url = 'https://www.example.co.uk/';
  const startFailure = 'START_FAILED';
  let owner: Member;
  let key: string;
  beforeEach(async () => {
    owner = await world.createMember();
    key = randomUUID();
  });

  it('answers 500, and is handed over by a retry after two minutes', async () => {
    const id = await failToStart(owner, key, url);
    const early = await startScan(owner, url, key);
    assertRefused(early, 'IDEMPOTENCY_IN_PROGRESS');
    const wait = Number(early.headers['retry-after']);
    assert.ok(wait > 100 && wait <= 120, String(wait));
    await advance('125s');
    const retry = await startScan(owner, url, key);
    assert.deepEqual(readStarted(retry), { id, domain: 'example.co.uk', status: 'STARTED' });
    assert.ok(isReplay(retry));
    // It is in the queue now, where nobody gives it up.
    await advance('6m');
    const again = await startScan(owner, url, key);
    assert.deepEqual([again.text, isReplay(again)], [retry.text, true]);
    assert.equal((await readScan(owner, id)).status, 'STARTED');
  });

  it('and is not retried is COMPLETED with a failure after five minutes, and a retry answers that scan', async () => {
    const id = await failToStart(owner, key, url);
    await advance('4m');
    assert.equal((await readScan(owner, id)).status, 'STARTED');
    await advance('2m');
    await untilCompleted(owner, id);
    const { createdAt, completedAt, failure, ...rest } = await readScan(owner, id);
    assert.deepEqual(rest, {
      id,
      url,
      domain: 'example.co.uk',
      status: 'COMPLETED',
      score: null,
      grade: null,
      algorithmVersion: 2,
      findingCounts: null,
      checks: null,
      notRunReasons: [],
      apiKeyId: owner.apiKeyId,
    });
    const { code, message, ...more } = failure as Record<string, string>;
    assert.deepEqual([code, more], [startFailure, {}]);
    assert.match(message ?? '', /new Idempotency-Key/);
    assert.ok(Date.parse(String(completedAt)) - Date.parse(String(createdAt)) >= 300_000);
    const retry = await startScan(owner, url, key);
    assert.deepEqual(readStarted(retry), { id, domain: 'example.co.uk', status: 'COMPLETED' });
    assert.ok(isReplay(retry));
    assert.equal((await startScan(owner, url, key)).text, retry.text);
    assertRefused(await startScan(owner, 'https://www.example.com/', key), 'IDEMPOTENCY_KEY_REUSED');
  });

  it('and is retried only after five minutes is given up, whether or not the sweep was there first', async () => {
    const id = await failToStart(owner, key, url);
    await advance('6m');
    const retry = await startScan(owner, url, key);
    assert.deepEqual(readStarted(retry), { id, domain: 'example.co.uk', status: 'COMPLETED' });
    assert.ok(isReplay(retry));
    assert.equal(((await readScan(owner, id)).failure as Record<string, string>).code, startFailure);
  });

  it('leaves its key new after 24 hours', async () => {
    const id = await failToStart(owner, key, url);
    await advance('6m');
    await untilCompleted(owner, id);
    await advance('23h');
    assert.ok(isReplay(await startScan(owner, url, key)));
    await advance('61m');
    const fresh = await startScan(owner, url, key);
    assert.ok(!isReplay(fresh));
    assert.notEqual(readStarted(fresh).id, id);
  });
});
