import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import type { Admin } from './admin.ts';

let scene: ReviewScene;
let admin: Admin;
before(async () => {
  scene = await createReviewScene();
  admin = scene.admin;
});
after(() => scene.end());

const wrong = (field: string) => ({ name: 'AppError', code: 'VALIDATION_ERROR', field });
const missing = { name: 'AppError', code: 'NOT_FOUND' };

async function takenRun(): Promise<{ run: string; finding: string }> {
  const run = await scene.completeRun();
  await admin.review.take({ run, reviewer: scene.ada });
  const finding = (await admin.review.show({ run })).findings[0]?.id;
  assert.ok(finding);
  return { run, finding };
}

const latestAudit = async () => (await admin.audit.list({ account: scene.owner.accountId, limit: '1' })).entries[0];

describe('user create --staff', () => {
  it('makes a member of the staff, whom user list shows', async () => {
    const reviewer = await admin.user.create({ email: 'rea@example.com', staff: 'REVIEWER' });
    const operator = await admin.user.create({ email: 'ole@example.com', staff: 'OPERATOR' });
    const customer = await admin.user.create({ email: 'cas@example.com' });
    assert.deepEqual([reviewer.staff, operator.staff, customer.staff], ['REVIEWER', 'OPERATOR', null]);
    const users = (await admin.user.list({ limit: '3' })).users.map(({ id, staff }) => [id, staff]);
    assert.deepEqual(users, [
      [customer.id, null],
      [operator.id, 'OPERATOR'],
      [reviewer.id, 'REVIEWER'],
    ]);
    const { entries } = await admin.audit.list({ limit: '6' });
    const created = entries
      .filter(({ action }) => action === 'user.created')
      .map(({ subject, details }) => [subject, details]);
    assert.deepEqual(created, [
      [customer.id, {}],
      [operator.id, { staff: 'OPERATOR' }],
      [reviewer.id, { staff: 'REVIEWER' }],
    ]);
  });

  it('is refused with another role, or for somebody who is a user already', async () => {
    await assert.rejects(admin.user.create({ email: 'x@example.com', staff: 'OWNER' as never }), wrong('staff'));
    await admin.user.create({ email: 'twice@example.com' });
    await assert.rejects(admin.user.create({ email: 'twice@example.com', staff: 'REVIEWER' }), wrong('email'));
    const { users } = await admin.user.list({});
    assert.equal(users.find(({ email }) => email === 'twice@example.com')?.staff, null);
  });
});

describe('review list', () => {
  it('shows the oldest first, all that are not signed off unless a state is asked for', async () => {
    const waiting = await scene.completeRun();
    const { run: taken } = await takenRun();
    const { run: rejected } = await takenRun();
    await admin.review.reject({ run: rejected, reason: 'Empty.' });
    const { run: signedOff } = await takenRun();
    await admin.review.signOff({ run: signedOff });
    const listed = async (input: Parameters<Admin['review']['list']>[0]) =>
      (await admin.review.list(input)).reviews.map(({ id }) => id);
    assert.deepEqual(await listed({}), [waiting, taken, rejected]);
    assert.deepEqual(await listed({ limit: '2' }), [waiting, taken]);
    assert.deepEqual(await listed({ state: 'WAITING' }), [waiting]);
    assert.deepEqual(await listed({ state: 'TAKEN' }), [taken]);
    assert.deepEqual(await listed({ state: 'REJECTED' }), [rejected]);
    assert.deepEqual(await listed({ state: 'SIGNED_OFF' }), [signedOff]);
    await assert.rejects(admin.review.list({ state: 'DONE' as never }), wrong('state'));
    await assert.rejects(admin.review.list({ limit: '0' }), wrong('limit'));
  });
});

describe('review take', () => {
  it('names the reviewer by id or e-mail address, who has to be staff', async () => {
    const run = await scene.completeRun();
    const { id: customer } = await admin.user.create({ email: 'customer@example.com' });
    await admin.user.create({ email: 'Rob@example.com', staff: 'REVIEWER' });
    await assert.rejects(admin.review.take({ run, reviewer: customer }), { ...wrong('reviewer'), message: /--staff/ });
    await assert.rejects(admin.review.take({ run, reviewer: 'usr_none' }), missing);
    await assert.rejects(admin.review.take({ run } as never), wrong('reviewer'));
    await assert.rejects(admin.review.take({ reviewer: scene.ada } as never), wrong('run'));
    const { state, takenAt } = await admin.review.take({ run, reviewer: 'rob@example.com' });
    assert.equal(state, 'TAKEN');
    assert.ok(takenAt instanceof Date);
  });

  it('with --force is audited with the reviewer it was taken from', async () => {
    const { run } = await takenRun();
    await assert.rejects(admin.review.take({ run, reviewer: scene.ben }), { code: 'FORBIDDEN', field: 'reviewer' });
    assert.equal((await admin.review.take({ run, reviewer: scene.ben, force: true })).reviewerId, scene.ben);
    const { actor, action, subject, details } = (await latestAudit()) ?? {};
    assert.deepEqual(
      { actor, action, subject, details },
      {
        actor: 'operator',
        action: 'review.taken',
        subject: run,
        details: { reviewer: scene.ben, takenFrom: scene.ada },
      },
    );
  });
});

describe('review show', () => {
  it('shows run, target, level, summary, notes and all findings, excluded ones too', async () => {
    const { run, finding } = await takenRun();
    await admin.review.exclude({ run, finding });
    await admin.review.note({ run, text: 'Looks right.' });
    const { findings, notes, ...shown } = await admin.review.show({ run });
    assert.deepEqual(
      [shown.id, shown.accountId, shown.targetUrl, shown.depth, shown.summary, shown.state, shown.reviewerId],
      [run, scene.owner.accountId, scene.target.targetUrl, 'STANDARD', 'All of it was tested.', 'TAKEN', scene.ada],
    );
    assert.match(notes, /operator: Looks right\.$/);
    assert.deepEqual(
      findings.map(({ severity, excludedAt }) => [severity, excludedAt !== null]),
      [
        ['HIGH', true],
        ['LOW', false],
        ['INFO', false],
      ],
    );
    await assert.rejects(admin.review.show({ run: 'pen_none' }), missing);
    await assert.rejects(admin.review.show({} as never), wrong('run'));
  });
});

describe('review edit', () => {
  it('changes every part of a finding, and audits the names of those that changed', async () => {
    const { run, finding } = await takenRun();
    const words = {
      title: 'Injection',
      description: 'One.\n\tTwo.',
      severity: 'CRITICAL',
      remediation: 'Bind.',
    } as const;
    const marks = { confidence: 'CONFIRMED', cvss: '10', cwe: '564' } as const;
    const edited = await admin.review.edit({ run, finding, ...words, ...marks });
    const { editedAt, title, description, severity, remediation, confidence, cvssScore, cweId } = edited;
    assert.ok(editedAt instanceof Date);
    assert.deepEqual({ title, description, severity, remediation }, words);
    assert.deepEqual([confidence, cvssScore, cweId], ['CONFIRMED', '10.0', 'CWE-564']);
    const entry = await latestAudit();
    assert.deepEqual([entry?.action, entry?.subject], ['review.finding-edited', finding]);
    assert.deepEqual(entry?.details, {
      run,
      reviewer: scene.ada,
      fields: ['title', 'description', 'severity', 'confidence', 'remediation', 'cvssScore', 'cweId'],
    });
  });

  it('leaves alone what is not named or not different, and clears with none', async () => {
    const { run, finding } = await takenRun();
    const [before] = (await admin.review.show({ run })).findings;
    assert.ok(before);
    const entry = await latestAudit();
    assert.deepEqual(
      await admin.review.edit({ run, finding, title: before.title, cvss: '8.1', cwe: 'CWE-89' }),
      before,
    );
    assert.deepEqual(await latestAudit(), entry);
    const cleared = await admin.review.edit({ run, finding, description: 'none', cvss: 'none', cwe: 'none' });
    assert.ok(before.cvssVector && before.cvss4Vector);
    // Vectors that yield another score would contradict the report.
    const nothing = { description: null, cvssScore: null, cvssVector: null, cvss4Vector: null, cweId: null };
    assert.deepEqual(cleared, { ...before, ...nothing, editedAt: cleared.editedAt });
    assert.deepEqual((await latestAudit())?.details.fields, ['description', 'cvssScore', 'cweId']);
  });

  it('refuses what is missing, wrong or of another run', async () => {
    const { run, finding } = await takenRun();
    const other = await takenRun();
    const { edit } = admin.review;
    await assert.rejects(edit({ run, finding }), { ...wrong('title'), message: /another of: description/ });
    await assert.rejects(edit({ run, title: 'x' } as never), wrong('finding'));
    await assert.rejects(edit({ run, finding: other.finding, title: 'x' }), { ...missing, field: 'finding' });
    await assert.rejects(edit({ run, finding, severity: 'high' as never }), wrong('severity'));
    await assert.rejects(edit({ run, finding, confidence: 'SURE' as never }), wrong('confidence'));
    for (const title of ['', 'a\nb', 'a\u001b[2J']) await assert.rejects(edit({ run, finding, title }), wrong('title'));
    for (const description of ['', 'a\u001b[2J', 'a\0', 'a'.repeat(50_001)]) {
      await assert.rejects(edit({ run, finding, description }), wrong('description'));
    }
    for (const cvss of ['', '11', '9.85', '-1', 'high'])
      await assert.rejects(edit({ run, finding, cvss }), wrong('cvss'));
    for (const cwe of ['', '0', 'CWE', '1.5']) await assert.rejects(edit({ run, finding, cwe }), wrong('cwe'));
    assert.equal((await admin.review.show({ run })).findings[0]?.editedAt, null);
  });
});

describe('review exclude, note, sign-off, reject and reopen', () => {
  it('are audited, without the words of notes and reasons', async () => {
    const { run, finding } = await takenRun();
    await admin.review.exclude({ run, finding, reviewer: scene.ada });
    await admin.review.exclude({ run, finding, undo: true });
    await admin.review.note({ run, text: 'Private words.', reviewer: scene.ben });
    await admin.review.reject({ run, reason: 'Private words.' });
    await admin.review.reopen({ run });
    await admin.review.take({ run, reviewer: scene.ada });
    assert.equal((await admin.review.signOff({ run, reviewer: scene.ada })).changed, true);
    assert.equal((await admin.review.signOff({ run })).changed, false);
    const { entries } = await admin.audit.list({ account: scene.owner.accountId, limit: '7' });
    assert.deepEqual(entries.map(({ action, subject, details }) => [action, subject, details]).reverse(), [
      ['review.finding-excluded', finding, { run, reviewer: scene.ada }],
      ['review.finding-included', finding, { run, reviewer: scene.ada }],
      ['review.noted', run, { author: scene.ben }],
      ['review.rejected', run, { reviewer: scene.ada }],
      ['review.reopened', run, {}],
      ['review.taken', run, { reviewer: scene.ada }],
      ['review.signed-off', run, { reviewer: scene.ada, charged: 500 }],
    ]);
  });

  it('refuse what is missing or unknown', async () => {
    const { run, finding } = await takenRun();
    const { exclude, note, signOff, reject, reopen } = admin.review;
    await assert.rejects(exclude({ run } as never), wrong('finding'));
    await assert.rejects(exclude({ run, finding: 'fnd_none' }), { ...missing, message: /review show/ });
    await assert.rejects(note({ run } as never), wrong('text'));
    await assert.rejects(note({ run, text: ' ' }), wrong('text'));
    await assert.rejects(reject({ run } as never), wrong('reason'));
    const { id: customer } = await admin.user.create({ email: 'somebody@example.com' });
    for (const work of [
      exclude({ run, finding, reviewer: customer }),
      note({ run, text: 'x', reviewer: customer }),
      signOff({ run, reviewer: customer }),
      reject({ run, reason: 'x', reviewer: customer }),
    ]) {
      await assert.rejects(work, wrong('reviewer'));
    }
    for (const command of [signOff, reopen]) {
      await assert.rejects(command({ run: 'pen_none' }), missing);
      await assert.rejects(command({} as never), wrong('run'));
    }
    assert.equal((await admin.review.show({ run })).state, 'TAKEN');
  });
});
