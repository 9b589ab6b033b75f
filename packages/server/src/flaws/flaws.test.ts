import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Coverage } from '@sortie/contract';
import type { CoverageKey } from '@sortie/engine';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { finding } from '@sortie/testing/world/runs.ts';
import { listAudit } from '../audit/audit.ts';
import { inTransaction } from '../db/database.ts';
import { endRun, markReleased, pentestKind, saveStep, takePentest } from '../pentests/pentests.ts';
import { assignFinding, type Decision, decideState, noteFinding, readFlaw, readFlaws } from './flaws.ts';

let scene: ReviewScene;
let on: NonNullable<Parameters<ReviewScene['startRun']>[1]>;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());
beforeEach(async () => {
  on = await scene.addTarget();
});

const test = 'a'.repeat(20);
const key: CoverageKey = {
  group: 'injection',
  method: 'GET',
  url: 'https://shop.example.test/search?q',
  operation: null,
  account: null,
  retest: test,
};

const nothingPlanned: Coverage = { groups: [], requests: [], omittedRequests: 0 };

interface Played {
  depth?: 'LEAD' | 'STANDARD';
  formerFingerprints?: string[];
  /** Whether it repeats the tests that found something before. */
  isRetest?: boolean;
}

/** A run that reports findings with these fingerprints. At STANDARD, its report is in review. */
async function play(found: readonly string[], { depth = 'LEAD', ...told }: Played = {}): Promise<string> {
  const { formerFingerprints = [], isRetest = true } = told;
  const { database } = scene.test;
  const runId = await scene.startRun(depth, on);
  await inTransaction(database, (tx) => pentestKind.enqueue(tx, runId));
  const lease = await takePentest(database.queries, { owner: 'worker', leaseMs: 600_000 });
  assert.equal(lease?.id, runId);
  const findings = found.map((print) => finding(print, { coverageKeys: [key], formerFingerprints }));
  const step = { type: 'step', name: 'WEB_TEST/1', phase: 'WEB_TEST', requests: 1, modelMicrodollars: 0 } as const;
  assert.ok(await saveStep(database, lease, { ...step, findings }, 1));
  const ending = { coverage: nothingPlanned, retested: isRetest ? [test] : [] };
  const { accountId } = scene.owner;
  assert.ok(await inTransaction(database, (tx) => endRun(tx, { accountId, runId }, 'COMPLETED', 'Tested.', ending)));
  return runId;
}

async function flaws() {
  const all = (await readFlaws(scene.test.database.queries, scene.owner)).flaws;
  return all.filter(({ last }) => last.run.targetUrl === on.target.targetUrl);
}

const statesOf = async () =>
  Object.fromEntries((await flaws()).map(({ last, state }) => [last.fingerprint, state] as const));

async function idOf(print: string): Promise<string> {
  return (await flaws()).find(({ last }) => last.fingerprint === print)?.last.id ?? assert.fail(print);
}

const decide = async (print: string, decision: Decision) => {
  const id = await idOf(print);
  return inTransaction(scene.test.database, (tx) => decideState(tx, scene.owner, id, decision));
};

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const reason = 'Only the office network reaches it.';

async function letDaysPass<T>(days: number, work: () => Promise<T>): Promise<T> {
  const shift = (by: string) => scene.test.database.queries.updateTable('service').set({ clock_shift: by }).execute();
  await shift(`${days} days`);
  try {
    return await work();
  } finally {
    await shift('0');
  }
}

describe('the findings of an account', () => {
  it('are one per weakness, as the latest run reports it, and fixed when a run that repeats its tests does not', async () => {
    const first = await play(['a', 'b']);
    assert.deepEqual(await statesOf(), { a: 'OPEN', b: 'OPEN' });
    await play(['a'], { isRetest: false });
    assert.deepEqual(await statesOf(), { a: 'OPEN', b: 'OPEN' });
    const third = await play(['a']);
    assert.deepEqual(await statesOf(), { a: 'OPEN', b: 'FIXED' });
    const [a, b] = await flaws();
    assert.equal(a?.last.runId, third);
    assert.equal(a?.sightings.length, 3);
    assert.equal(b?.last.runId, first);
    await play(['a', 'b']);
    const back = (await flaws()).find(({ last }) => last.fingerprint === 'b');
    assert.equal(back?.state, 'OPEN');
    assert.equal(back?.presences.length, 2);
  });

  it('are known by former fingerprints, and stay apart within a run', async () => {
    await play(['old', 'other']);
    await play(['new'], { formerFingerprints: ['old'] });
    assert.deepEqual(await statesOf(), { new: 'OPEN', other: 'FIXED' });
    await play(['new', 'newest'], { formerFingerprints: ['old'] });
    assert.equal((await flaws()).length, 3);
  });

  it('have nothing of a report in review, neither findings nor fixes', async () => {
    await play(['a', 'b']);
    const before = JSON.stringify(await flaws());
    const inReview = await play(['a', 'c'], { depth: 'STANDARD' });
    assert.equal(JSON.stringify(await flaws()), before);
    const { queries } = scene.test.database;
    const hidden = await queries
      .selectFrom('pentest_finding')
      .select('id')
      .where('pentest_id', '=', inReview)
      .execute();
    assert.equal(hidden.length, 2);
    for (const { id } of hidden) {
      await assert.rejects(readFlaw(queries, scene.owner, id), { code: 'NOT_FOUND' });
      const noting = inTransaction(scene.test.database, (tx) => noteFinding(tx, scene.owner, id, 'Known.'));
      await assert.rejects(noting, { code: 'NOT_FOUND' });
    }
    await inTransaction(scene.test.database, (tx) => markReleased(tx, inReview));
    assert.deepEqual(await statesOf(), { a: 'OPEN', b: 'FIXED', c: 'OPEN' });
    assert.ok(await readFlaw(queries, scene.owner, hidden[0]?.id ?? ''));
  });

  it('leave out what a reviewer excluded, which is not fixed by that', async () => {
    await play(['a']);
    const inReview = await play(['a'], { depth: 'STANDARD' });
    await scene.test.database.queries
      .updateTable('pentest_finding')
      .set({ excluded_at: new Date() })
      .where('pentest_id', '=', inReview)
      .execute();
    await inTransaction(scene.test.database, (tx) => markReleased(tx, inReview));
    const [a] = await flaws();
    assert.deepEqual([a?.state, a?.sightings.length], ['OPEN', 1]);
  });

  it('of another site of the target are others', async () => {
    await play(['a']);
    await decide('a', { state: 'FALSE_POSITIVE', reason });
    const runId = await play(['a']);
    const elsewhere = { target_url: 'https://elsewhere.example.test/' } as never;
    await scene.test.database.queries.updateTable('pentest').set(elsewhere).where('id', '=', runId).execute();
    const { flaws: all } = await readFlaws(scene.test.database.queries, scene.owner);
    const moved = all.find(({ last }) => last.runId === runId);
    assert.deepEqual([moved?.state, moved?.sightings.length], ['OPEN', 1]);
  });
});

describe('what people say about a finding', () => {
  it('holds for later runs, also under another fingerprint', async () => {
    await play(['a', 'b']);
    await decide('a', { state: 'FALSE_POSITIVE', reason });
    await play(['a', 'b']);
    assert.deepEqual(await statesOf(), { a: 'FALSE_POSITIVE', b: 'OPEN' });
    await play(['renamed'], { formerFingerprints: ['a'] });
    await play(['again'], { formerFingerprints: ['renamed'] });
    assert.deepEqual(await statesOf(), { again: 'FALSE_POSITIVE', b: 'FIXED' });
    await decide('again', { state: 'OPEN' });
    assert.equal((await statesOf()).again, 'OPEN');
    assert.equal((await flaws()).find(({ last }) => last.fingerprint === 'again')?.events.length, 2);
  });

  it('ends on its date by itself, and needs a date in the future', async () => {
    await play(['a']);
    await assert.rejects(decide('a', { state: 'ACCEPTED', reason, until: inDays(-1) }), { code: 'VALIDATION_ERROR' });
    await decide('a', { state: 'ACCEPTED', reason, until: inDays(10) });
    assert.deepEqual(await statesOf(), { a: 'ACCEPTED' });
    assert.deepEqual(await letDaysPass(9, statesOf), { a: 'ACCEPTED' });
    const [later] = await letDaysPass(11, flaws);
    assert.deepEqual([later?.state, later?.acceptedUntil], ['OPEN', null]);
  });

  it('is in the audit log, without the words', async () => {
    await play(['a']);
    const { accountId, userId } = scene.owner;
    await decide('a', { state: 'ACCEPTED', reason, until: inDays(10) });
    const id = await idOf('a');
    await inTransaction(scene.test.database, async (tx) => {
      await noteFinding(tx, scene.owner, id, 'Ticket 7');
      await assignFinding(tx, scene.owner, id, userId);
      await decideState(tx, scene.owner, id, { state: 'OPEN' });
      // Changes nothing.
      await decideState(tx, scene.owner, id, { state: 'OPEN' });
      await assignFinding(tx, scene.owner, id, userId);
    });
    const entries = await listAudit(scene.test.database.queries, { accountId, action: 'finding.', limit: 4 });
    assert.deepEqual(
      entries.map(({ action, actor, subject }) => [action, actor, subject]),
      ['reopened', 'assigned', 'noted', 'accepted'].map((verb) => [`finding.${verb}`, userId, id]),
    );
    assert.doesNotMatch(JSON.stringify(entries), /office|Ticket/);
    const [flaw] = await flaws();
    assert.deepEqual([flaw?.assigneeId, flaw?.events.length], [userId, 4]);
  });

  it('names only assignees who may read it', async () => {
    await play(['a']);
    const id = await idOf('a');
    const { id: member } = await scene.admin.user.create({ email: 'flaw-member@example.test' });
    const assign = (userId: string | null) =>
      inTransaction(scene.test.database, (tx) => assignFinding(tx, scene.owner, id, userId));
    await assert.rejects(assign(member), { code: 'VALIDATION_ERROR' });
    await scene.admin.member.add({ account: scene.owner.accountId, user: member, role: 'MEMBER' });
    await assert.rejects(assign(member), { code: 'VALIDATION_ERROR' });
    await scene.admin.target.assign({ id: on.target.verificationId, user: member });
    await assign(member);
    assert.equal((await flaws())[0]?.assigneeId, member);
    await assign(null);
    assert.equal((await flaws())[0]?.assigneeId, null);
  });

  it('can only be said and read by members to whom the target is assigned', async () => {
    await play(['a']);
    const id = await idOf('a');
    const { id: userId } = await scene.admin.user.create({ email: 'flaw-other@example.test' });
    await scene.admin.member.add({ account: scene.owner.accountId, user: userId, role: 'MEMBER' });
    const other = { accountId: scene.owner.accountId, userId, role: 'MEMBER' } as const;
    const { queries } = scene.test.database;
    assert.deepEqual((await readFlaws(queries, other)).flaws, []);
    await assert.rejects(readFlaw(queries, other, id), { code: 'NOT_FOUND' });
    await scene.admin.target.assign({ id: on.target.verificationId, user: userId });
    assert.equal((await readFlaws(queries, other)).flaws.length, 1);
  });
});

describe('notes', () => {
  it('are at most 2,000 for a finding, and cost a list next to nothing', async () => {
    await play(['noted', 'other']);
    const id = await idOf('noted');
    const note = (findingId: string) =>
      inTransaction(scene.test.database, (tx) => noteFinding(tx, scene.owner, findingId, 'Ticket 7'));
    await note(id);
    await scene.test.database.pool.query(
      `insert into flaw_event (account_id, target_id, site, finding_id, fingerprints, kind, text, user_id)
       select account_id, target_id, site, finding_id, fingerprints, kind, text, user_id
         from flaw_event, generate_series(1, 1999) where finding_id = $1`,
      [id],
    );
    await assert.rejects(note(id), { code: 'VALIDATION_ERROR' });
    await note(await idOf('other'));
    const listed = (await flaws()).find(({ last }) => last.id === id);
    assert.deepEqual([listed?.events.length, listed?.events.every(({ text }) => text === null)], [2_000, true]);
    const { events } = await readFlaw(scene.test.database.queries, scene.owner, id);
    assert.ok(events.every(({ text }) => text === 'Ticket 7'));
  });
});
