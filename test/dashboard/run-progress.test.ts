import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type ReportFormat,
  type RunActivity,
  type RunProgress,
  type RunStatement,
  reportFormats,
} from '@sortie/contract';
import { createPeople, type People, type Person } from '@sortie/testing/dashboard/people.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createTarget, grantCredits } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
let target: { verificationId: string; targetUrl: string };
let keys = 0;

before(async () => {
  world = await createWorld();
  people = await createPeople(world);
  await grantCredits(world.admin, people, 200_000);
  target = await createTarget(world.admin, people, 'https://sandbox.example/');
});
after(() => world.end());

const path = (rest: string) => `/api/accounts/${people.accountId}/${rest}`;

const startRun = (story: string, depth: string) =>
  people.OWNER.call(path('runs'), {
    method: 'POST',
    headers: { 'idempotency-key': `progress-${keys++}` },
    body: { ...target, targetUrl: `https://${story}.sandbox.example/`, depth },
  });

async function play(story: string, depth = 'LEAD'): Promise<string> {
  const { status, body, text } = await startRun(story, depth);
  assert.equal(status, 201, text);
  const id = String(body?.id);
  const isOver = async () => (await people.OWNER.call(path(`pentests/${id}`))).body?.completedAt !== null;
  await waitFor(isOver, { what: () => `the end of ${id}`, withinMs: 60_000 });
  return id;
}

/** A released run for tests that change nothing of it, and one whose report is in review. */
let released: Promise<string> | undefined;
let pending: Promise<string> | undefined;
const releasedRun = () => (released ??= play('released-findings'));
const pendingRun = () => (pending ??= play('review-pending', 'STANDARD'));

const read = async (id: string) =>
  (await people.OWNER.call(path(`runs/${id}/progress`))).body as unknown as RunProgress;

describe('a start in the dashboard', () => {
  it('offers the levels that the API does not', async () => {
    for (const depth of ['EXTENDED', 'MAXIMUM']) {
      const { status, text } = await startRun('released-findings', depth);
      assert.equal(status, 201, text);
    }
    const refused = await people.OWNER.call(path('pentests'), {
      method: 'POST',
      headers: { 'idempotency-key': 'progress-api' },
      body: { ...target, depth: 'MAXIMUM' },
    });
    assertRefusedInDashboard(refused, 'VALIDATION_ERROR');
  });
});

describe('the progress of a run', () => {
  it('tells meters, phases and cost, and after the end nothing that is still held', async () => {
    const id = await play('released-findings');
    const { pool } = world.testDatabase.database;
    await pool.query('delete from pentest_step where pentest_id = $1', [id]);
    await pool.query(
      `insert into pentest_step (pentest_id, name, phase, epoch, engine_ms, requests, model_microdollars)
       values ($1, 'b', 'WEB_TEST', 1, 2000, 30, 0), ($1, 'c', 'WEB_TEST', 1, 500, 5, 0), ($1, 'a', 'RECON', 1, 100, 2, 0)`,
      [id],
    );
    await pool.query(
      `insert into diagnostic (pentest_id, epoch, event, checks, method, url, verdict, reason, requests)
       values ($1, 1, 'PLANNED', '{a,b}', 'GET', '/', null, '', '[]'), ($1, 1, 'PLANNED', '{b,c}', 'GET', '/', null, '', '[]'),
         ($1, 1, 'NOT_PLANNED', '{d}', 'GET', '/', null, '', '[]'), ($1, 1, 'JUDGED', '{a}', 'GET', '/', 'PROVED', '', '[]')`,
      [id],
    );
    const { phases, checks, creditsSoFar, review, runsAhead } = await read(id);
    assert.deepEqual(phases, [
      { phase: 'RECON', steps: 1, requests: 2, milliseconds: 100 },
      { phase: 'WEB_TEST', steps: 2, requests: 35, milliseconds: 2_500 },
    ]);
    assert.deepEqual(checks, { planned: 3, begun: 1 });
    assert.deepEqual([creditsSoFar, review, runsAhead], [null, null, null]);
  });

  it('says that a report was rejected, which the API does not', async () => {
    const id = await play('review-pending', 'STANDARD');
    assert.equal((await read(id)).review?.isRejected, false);
    await world.testDatabase.database.pool.query(
      `update report_review set state = 'REJECTED', decided_at = service_now(), reviewer_id = coalesce(reviewer_id,
         (select user_id from staff_member limit 1)) where pentest_id = $1`,
      [id],
    );
    assert.equal((await read(id)).review?.isRejected, true);
    const rejected = async (person: Person) =>
      (await person.call(path('rejected-runs'))).body?.runs as { runId: string }[];
    for (const role of ['OWNER', 'ADMIN'] as const) {
      assert.deepEqual(
        (await rejected(people[role])).map(({ runId }) => runId),
        [id],
      );
    }
    assert.deepEqual(await rejected(people.MEMBER), [], 'the target is not assigned');
    await world.admin.target.assign({ id: target.verificationId, user: people.MEMBER.userId });
    assert.equal((await rejected(people.MEMBER)).length, 1);
    await world.admin.target.unassign({ id: target.verificationId, user: people.MEMBER.userId });
    const { body } = await people.OWNER.call(path(`pentests/${id}`));
    assert.deepEqual([body?.status, body?.reportReleased], ['COMPLETED', false]);
  });
});

describe('the coverage of a run that works', () => {
  const state = JSON.stringify({
    coverage: [
      {
        method: 'GET',
        url: 'https://shop.example/?q',
        as: null,
        cells: [
          [0, 1, 1],
          [1, 0, 1],
        ],
      },
    ],
    coverageTerms: { groups: ['graphql', 'injection'], reasons: [], omitted: 0 },
    stopped: null,
  });
  const work = (id: string) =>
    world.testDatabase.database.pool.query(
      `update pentest set status = 'WEB_TEST', completed_at = null, engine_state = $2 where id = $1`,
      [id, state],
    );
  const groupsOf = async (id: string) => (await people.OWNER.call(path(`runs/${id}/coverage`))).body?.groups;

  it('tells on a level without review what the saved steps have tested, and nothing once it is over', async () => {
    const id = await play('released-findings');
    assert.equal(await groupsOf(id), null);
    await work(id);
    const groups = (await groupsOf(id)) as { group: string; reasons: { reason: string }[] }[];
    assert.deepEqual(groups.map(({ group }) => group).sort(), ['graphql', 'injection']);
    assert.ok(groups.some(({ reasons }) => reasons.some(({ reason }) => /still in progress/.test(reason))));
  });

  it('is not told of on a level with review', async () => {
    const id = await play('review-pending', 'STANDARD');
    await work(id);
    assert.equal(await groupsOf(id), null);
  });
});

describe('the statement of a run', () => {
  it('adds up', async () => {
    const id = await releasedRun();
    const { body } = await people.OWNER.call(path(`runs/${id}/statement`));
    const { testing, review, total, largest, minimum } = body as unknown as RunStatement;
    for (const part of [testing, review, total]) assert.equal(part.reserved, part.charged + part.returned + part.held);
    assert.equal(total.charged, testing.charged + review.charged);
    assert.equal(testing.charged, Math.min(testing.reserved, Math.max(largest, minimum)));
  });
});

describe('what the planner of a run tried', () => {
  const note = (id: string) =>
    world.testDatabase.database.pool.query(
      `insert into activity (pentest_id, step, specialist, hypothesis, tried, outcome)
       values ($1, 'API_TEST/1', 'api', 'It may fail.', 'Ran 3 checks.', 'Nothing was found.')`,
      [id],
    );

  it('is read with the released report, and not while it is in review', async () => {
    const [shown, inReview] = [await releasedRun(), await pendingRun()];
    for (const id of [shown, inReview]) await note(id);
    const { body } = await people.OWNER.call(path(`runs/${shown}/activity`));
    const [{ createdAt, ...item }] = (body as unknown as RunActivity).items as [RunActivity['items'][number]];
    assert.ok(Date.parse(createdAt) > 0);
    const words = { hypothesis: 'It may fail.', tried: 'Ran 3 checks.', outcome: 'Nothing was found.' };
    assert.deepEqual(item, { specialist: 'api', ...words });
    assertRefusedInDashboard(await people.OWNER.call(path(`runs/${inReview}/activity`)), 'NOT_FOUND');
    const all = [`pentests/${inReview}`, `pentests/${inReview}/summary`, `runs/${inReview}/progress`];
    for (const each of all) assert.doesNotMatch((await people.OWNER.call(path(each))).text, /Ran 3 checks/);
  });
});

describe('the report of a run as a file', () => {
  it('is written in every format, as an attachment that runs nothing', async () => {
    const id = await releasedRun();
    for (const format of reportFormats.filter((each): each is Exclude<ReportFormat, 'pdf'> => each !== 'pdf')) {
      const { status, headers, text } = await people.OWNER.call(path(`runs/${id}/report?format=${format}`));
      assert.equal(status, 200, text);
      assert.match(String(headers['content-disposition']), new RegExp(`^attachment; filename="${id}-`));
      assert.match(String(headers['content-security-policy']), /^sandbox;/);
      assert.match(text, /released-findings/, format);
    }
    assertRefusedInDashboard(await people.OWNER.call(path(`runs/${id}/report?format=doc`)), 'VALIDATION_ERROR');
  });

  it('is not found while the report is in review, whatever the format', async () => {
    const id = await pendingRun();
    for (const format of reportFormats) {
      assertRefusedInDashboard(await people.OWNER.call(path(`runs/${id}/report?format=${format}`)), 'NOT_FOUND');
    }
  });

  it('of a scan is written, too', async () => {
    const { body } = await people.OWNER.call(path('scans'), {
      method: 'POST',
      headers: { 'idempotency-key': 'progress-scan' },
      body: { url: 'https://scan-findings.sandbox.example/' },
    });
    const isOver = async () => (await people.OWNER.call(path(`scans/${body?.id}`))).body?.status === 'COMPLETED';
    await waitFor(isOver, { what: () => 'the end of the scan', withinMs: 60_000 });
    const { status, text } = await people.OWNER.call(path(`scans/${body?.id}/report?format=markdown`));
    assert.equal(status, 200, text);
  });
});
