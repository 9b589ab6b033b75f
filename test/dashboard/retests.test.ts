import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { FindingRecord, Retest } from '@sortie/contract';
import { createPeople, type People, type Person } from '@sortie/testing/dashboard/people.ts';
import {
  askForRetest,
  createRetestedRun,
  type RetestedRun,
  readRetest,
} from '@sortie/testing/dashboard/retested-run.ts';
import { call } from '@sortie/testing/http/call.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { findNext } from '@sortie/testing/inside/server.ts';
import { start } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

/** Nothing answers there: no worker takes the retests of this file. */
const ORIGIN = 'http://127.0.0.1:9';

let world: World;
let people: People;
let run: RetestedRun;
let apiKey: string;

before(async () => {
  world = await createWorld();
  people = await createPeople(world);
  run = await createRetestedRun(world, people, ORIGIN);
  await world.admin.target.assign({ id: run.verificationId, user: people.VIEWER.userId });
  ({ apiKey } = await world.createMember({ accountId: people.accountId }));
});
after(() => world.end());
beforeEach(() =>
  world.testDatabase.database.pool.query(`
    update retest set completed_at = service_now() where completed_at is null;
    update retest set asked_at = asked_at - interval '2 hours'`),
);

const ask = (findingIds: readonly string[], person: Person = people.OWNER) =>
  askForRetest(person, people, run.runId, findingIds);

const [one, two, three, bare] = [0, 1, 2, 3].map((index) => () => run.findingIds[index] ?? assert.fail()) as [
  () => string,
  () => string,
  () => string,
  () => string,
];

async function started(findingIds: readonly string[], person?: Person): Promise<Retest> {
  const { status, body, text } = await ask(findingIds, person);
  assert.equal(status, 201, text);
  return body as unknown as Retest;
}

describe('a retest', () => {
  it('waits with its findings, and is in the history of each', async () => {
    const retest = await started([two(), one()], people.ADMIN);
    assert.deepEqual(
      retest.findings.map(({ findingId, outcome, testedAt }) => [findingId, outcome, testedAt]),
      [
        [two(), null, null],
        [one(), null, null],
      ],
    );
    assert.deepEqual([retest.runId, retest.by.userId], [run.runId, people.ADMIN.userId]);
    const { body } = await people.VIEWER.call(`/api/accounts/${people.accountId}/findings/${one()}/record`);
    const { retests } = body as unknown as FindingRecord;
    assert.deepEqual([retests[0]?.id, retests[0]?.outcome, retests[0]?.completedAt], [retest.id, null, null]);
    assert.deepEqual(await readRetest(people.VIEWER, people, retest.id), retest);
  });

  it('tests what may lock the logins of the target last', async () => {
    const { pool, queries } = world.testDatabase.database;
    const ids = [two(), one(), three()];
    await pool.query(`update pentest_finding set check_id = 'missing-login-rate-limit' where id = $1`, [two()]);
    const { id } = await started(ids);
    const order: (string | undefined)[] = [];
    for (const _ of ids) {
      const next = await findNext(queries, { id, epoch: 0 });
      order.push(next?.findingId);
      await pool.query(
        `update retest_finding set outcome = 'GONE', reason = '', places = '[]', tested_at = now()
        where retest_id = $1 and finding_id = $2`,
        [id, next?.findingId],
      );
    }
    assert.deepEqual(order, [one(), three(), two()]);
  });

  it('is unknown to the public API', async () => {
    const { id } = await started([one()]);
    for (const path of [`/v1/pentests/${id}`, `/v1/pentests/${id}/findings`, `/v1/pentests/${id}/summary`]) {
      assert.equal((await call(world.server.baseUrl + path, { key: apiKey })).status, 404, path);
    }
    const { text } = await call(`${world.server.baseUrl}/v1/pentests`, { key: apiKey });
    assert.doesNotMatch(text, new RegExp(id));
    const usage = await call(`${world.server.baseUrl}/v1/credits/usage`, { key: apiKey });
    assert.doesNotMatch(usage.text, /ret_/);
  });

  it('is refused for what is not in the report, has no proof, or is being tested already', async () => {
    for (const [ids, field] of [
      [['fnd_unknown'], 'findingIds[0]'],
      [[one(), bare()], 'findingIds[1]'],
      [[one(), one()], 'findingIds'],
      [[], 'findingIds'],
    ] as const) {
      const answer = await ask(ids);
      assertRefusedInDashboard(answer, 'VALIDATION_ERROR');
      assert.equal(answer.body?.field, field);
    }
    await started([one()]);
    const again = await ask([two(), one()]);
    assertRefusedInDashboard(again, 'VALIDATION_ERROR');
    assert.equal(again.body?.field, 'findingIds[1]');
  });

  it('is refused for a finding that a reviewer left out', async () => {
    const { pool } = world.testDatabase.database;
    await pool.query('update pentest_finding set excluded_at = now() where id = $1', [three()]);
    assertRefusedInDashboard(await ask([three()]), 'VALIDATION_ERROR');
    await pool.query('update pentest_finding set excluded_at = null where id = $1', [three()]);
  });

  it('is refused without the target, and until the report is released', async () => {
    assertRefusedInDashboard(await ask([one()], people.MEMBER), 'FORBIDDEN');
    assertRefusedInDashboard(await ask([one()], people.VIEWER), 'FORBIDDEN');
    const { pool } = world.testDatabase.database;
    await pool.query('update pentest set expert_review = true where id = $1', [run.runId]);
    assertRefusedInDashboard(await ask([one()]), 'NOT_FOUND');
    const set = (status: string, completedAt: Date | null) =>
      pool.query('update pentest set expert_review = false, status = $2, completed_at = $3 where id = $1', [
        run.runId,
        status,
        completedAt,
      ]);
    await set('REPORTING', null);
    assertRefusedInDashboard(await ask([one()]), 'NOT_FOUND');
    await set('COMPLETED', new Date());
  });

  it('is refused once the verification has expired', async () => {
    const { pool } = world.testDatabase.database;
    const shift = (by: string) =>
      pool.query(
        `update verification set verified_at = verified_at + $2::interval, expires_at = expires_at + $2::interval where id = $1`,
        [run.verificationId, by],
      );
    await shift('-100 days');
    assertRefusedInDashboard(await ask([one()]), 'FORBIDDEN');
    await shift('100 days');
  });

  it('is refused the sixth time within an hour, and says how long to wait', async () => {
    for (let times = 0; times < 5; times++) {
      const { id } = await started([one()]);
      const path = `/api/accounts/${people.accountId}/retests/${id}/cancel`;
      await people.OWNER.call(path, { method: 'POST', headers: { 'content-length': 0 } });
    }
    const answer = await ask([one()]);
    assertRefusedInDashboard(answer, 'RATE_LIMITED');
    const seconds = Number(answer.headers['retry-after']);
    assert.ok(seconds > 3_500 && seconds <= 3_600, `${seconds}`);
  });

  it('counts as one of the pentests at once', async () => {
    await world.admin.account.setPlan({ id: people.accountId, plan: 'free' });
    for (const id of [one(), two(), three()]) await started([id]);
    const targetUrl = `${ORIGIN}/`;
    const { verificationId } = run;
    const answer = await start(world.server.baseUrl, '/v1/pentests', { apiKey }, { targetUrl, verificationId });
    assert.equal(answer.body?.code, 'PENTEST_CONCURRENCY_EXCEEDED', answer.text);
    await world.testDatabase.database.pool.query('update retest set completed_at = service_now()');
    for (let times = 0; times < 3; times++) {
      const { status, text } = await start(
        world.server.baseUrl,
        '/v1/pentests',
        { apiKey },
        { targetUrl, verificationId },
      );
      assert.equal(status, 201, text);
    }
    assertRefusedInDashboard(await ask([one()]), 'PENTEST_CONCURRENCY_EXCEEDED');
    await world.testDatabase.database.pool.query(
      `update pentest set completed_at = now(), status = 'CANCELLED' where completed_at is null`,
    );
    await world.admin.account.setPlan({ id: people.accountId, plan: 'team' });
  });

  it('keeps its verification from being removed until it is cancelled', async () => {
    const { id } = await started([one(), two()]);
    const remove = () =>
      people.OWNER.call(`/api/accounts/${people.accountId}/targets/${run.verificationId}/remove`, {
        method: 'POST',
        headers: { 'content-length': 0 },
      });
    const refused = await remove();
    assert.match(refused.text, new RegExp(`The retest ${id} of this target is not over`));
    const path = `/api/accounts/${people.accountId}/retests/${id}/cancel`;
    const cancelled = await people.OWNER.call(path, { method: 'POST', headers: { 'content-length': 0 } });
    const { completedAt, findings } = cancelled.body as unknown as Retest;
    assert.ok(completedAt);
    assert.deepEqual(
      findings.map(({ outcome, reason }) => [outcome, reason]),
      [
        ['VOID', 'Cancelled on request.'],
        ['VOID', 'Cancelled on request.'],
      ],
    );
  });

  it('ends when the account is suspended', async () => {
    const { id } = await started([one()]);
    await world.admin.account.suspend({ id: people.accountId });
    await world.admin.account.resume({ id: people.accountId });
    const { findings } = await readRetest(people.OWNER, people, id);
    assert.equal(findings[0]?.reason, 'Cancelled because the account was suspended.');
  });
});
