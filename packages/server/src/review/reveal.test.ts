import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { createCanary, dumpTables, findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import { onReviews, type Reviewer } from '@sortie/testing/world/review-commands.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { sealCredentials } from '../credentials/credentials.ts';
import { inTransaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { fixedVaultKeys } from '../secrets/service-secrets.ts';
import { revealCredentials } from './review.ts';

const vaultKeys = fixedVaultKeys({ id: 'vault-1', key: createSecretKey(randomBytes(32)) });
const canaries = { user: createCanary(), pass: createCanary(), totpSecret: createCanary(), other: createCanary() };
const { other, ...first } = canaries;
const credentials = [
  { name: 'customer', ...first },
  { name: 'clerk', kind: 'API_KEY' as const, user: '', pass: other },
];

let scene: ReviewScene;
before(async () => {
  scene = await createReviewScene();
});
after(() => scene.end());

const { take, signOff, reject, reopen } = onReviews(() => scene);

const sealFor = (runId: string) =>
  inTransaction(scene.test.database, (tx) =>
    sealCredentials(tx, vaultKeys, { accountId: scene.owner.accountId, runId, credentials }),
  );

async function completeRun(): Promise<string> {
  const runId = await scene.completeRun();
  await sealFor(runId);
  return runId;
}

const reveal = (runId: string, reviewer: string, { credential, keys = vaultKeys }: Asked = {}) =>
  inTransaction(scene.test.database, (tx) =>
    revealCredentials(tx, keys, { runId, reviewer, credential, actor: 'operator' }),
  );

interface Asked {
  credential?: string;
  keys?: typeof vaultKeys;
}

/** Resolves to the traces of a run's reveals: in the audit log and in the recorded uses. */
async function tracesOf(runId: string) {
  const { entries } = await scene.admin.audit.list({ limit: '1000' });
  const { queries } = scene.test.database;
  return {
    entries: entries.filter(({ subject, action }) => subject === runId && action === 'review.credentials-revealed'),
    uses: await queries
      .selectFrom('credential_use')
      .select(['purpose', 'actor', 'epoch'])
      .where('run_id', '=', runId)
      .execute(),
  };
}

async function assertRefused(runId: string, reviewer: string, message: RegExp): Promise<void> {
  await assert.rejects(reveal(runId, reviewer), (error) => {
    assert.ok(error instanceof AppError);
    assert.match(error.message, message);
    assert.deepEqual(findLeaks(inspect(error, { depth: 10 }), canaries), []);
    return true;
  });
  assert.deepEqual(await tracesOf(runId), { entries: [], uses: [] });
}

/** Every state of a report, how to enter it, and the refusal for each reviewer; undefined if the reveal succeeds. */
const states: Record<
  string,
  { enter(runId: string): Promise<unknown>; answers: Record<Reviewer, RegExp | undefined> }
> = {
  'that waits': {
    enter: async () => undefined,
    answers: { ada: /waits for a reviewer/, ben: /waits for a reviewer/ },
  },
  'that Ada has taken': {
    enter: (runId) => take(runId, 'ada'),
    answers: { ada: undefined, ben: /is with usr_\w+, not with/ },
  },
  'that Ben has taken from Ada': {
    enter: (runId) => take(runId, 'ada').then(() => take(runId, 'ben', true)),
    answers: { ada: /is with usr_\w+, not with/, ben: undefined },
  },
  'that Ada has signed off': {
    enter: (runId) => take(runId, 'ada').then(() => signOff(runId, 'ada')),
    answers: { ada: /was signed off/, ben: /was signed off/ },
  },
  'that Ada has rejected': {
    enter: (runId) => take(runId, 'ada').then(() => reject(runId, 'ada')),
    answers: { ada: /was rejected/, ben: /was rejected/ },
  },
  'that was reopened': {
    enter: (runId) =>
      take(runId, 'ada')
        .then(() => reject(runId, 'ada'))
        .then(() => reopen(runId)),
    answers: { ada: /waits for a reviewer/, ben: /waits for a reviewer/ },
  },
};

describe('the test accounts of a report', () => {
  for (const [state, { enter, answers }] of Object.entries(states)) {
    for (const who of ['ada', 'ben'] as const) {
      it(`${state} are ${answers[who] ? 'refused' : 'revealed'} to ${who}`, async () => {
        const runId = await completeRun();
        await enter(runId);
        if (answers[who]) return assertRefused(runId, scene[who], answers[who]);
        const opened = await reveal(runId, scene[who]);
        assert.deepEqual(
          opened.map(({ name, user, pass, totpSecret }) => [
            name,
            user.reveal(),
            pass.reveal(),
            totpSecret?.reveal() ?? null,
          ]),
          [
            ['customer', first.user, first.pass, first.totpSecret],
            ['clerk', '', other, null],
          ],
        );
      });
    }
  }

  it('are refused to those who are not staff or not there', async () => {
    const runId = await completeRun();
    await take(runId, 'ada');
    await assertRefused(runId, scene.owner.userId, /is not staff/);
    await assertRefused(runId, 'nobody@example.com', /nobody@example\.com/);
  });

  it('are refused while the run goes on', async () => {
    const runId = await scene.workOnRun();
    await sealFor(runId);
    await assertRefused(runId, scene.ada, /has no review/);
    await scene.endRun(runId, 'CANCELLED');
  });

  it('are written down before they are shown: who, which run and which names, never a value', async () => {
    const runId = await completeRun();
    await take(runId, 'ada');
    await reveal(runId, scene.ada);
    await reveal(runId, scene.ada, { credential: 'clerk' });
    const { entries, uses } = await tracesOf(runId);
    const expected = [['clerk'], ['customer', 'clerk']].map((names) => {
      return [scene.owner.accountId, 'operator', { reviewer: scene.ada, credentials: names }];
    });
    assert.deepEqual(
      entries.map(({ accountId, actor, details }) => [accountId, actor, details]),
      expected,
    );
    assert.deepEqual(uses, Array(2).fill({ purpose: 'REVEAL', actor: scene.ada, epoch: null }));
    const dump = await dumpTables(scene.test.database);
    assert.ok(dump.includes('review.credentials-revealed'));
    assert.deepEqual(findLeaks(dump, canaries), []);
  });

  it('are not shown when that cannot be written down', async () => {
    const runId = await completeRun();
    await take(runId, 'ada');
    const { pool } = scene.test.database;
    for (const table of ['audit_entry', 'credential_use']) {
      await pool.query(`create rule closed as on insert to ${table} do also select 1 / 0`);
      await assert.rejects(reveal(runId, scene.ada), /division by zero/);
      await pool.query(`drop rule closed on ${table}`);
    }
    assert.deepEqual(await tracesOf(runId), { entries: [], uses: [] });
  });

  it('are one when one is asked for, and an unknown name is refused with those that there are', async () => {
    const runId = await completeRun();
    await take(runId, 'ada');
    const opened = await reveal(runId, scene.ada, { credential: 'clerk' });
    assert.deepEqual(
      opened.map(({ name }) => name),
      ['clerk'],
    );
    const refusal = { code: 'NOT_FOUND', field: 'credential', message: /It has: customer, clerk\.$/ };
    await assert.rejects(reveal(runId, scene.ada, { credential: 'boss' }), refusal);
    assert.equal((await tracesOf(runId)).entries.length, 1);
  });

  it('are not there for a run without any, nor once they are deleted', async () => {
    const without = await scene.completeRun();
    await take(without, 'ada');
    await assertRefused(without, scene.ada, /There are no test accounts/);
    const deleted = await completeRun();
    await take(deleted, 'ada');
    await scene.admin.vault.forget({ run: deleted });
    await assertRefused(deleted, scene.ada, /were deleted at .* \(OPERATOR\)/);
  });

  it('do not open with another key, and that is no reveal', async () => {
    const runId = await completeRun();
    await take(runId, 'ada');
    const keys = fixedVaultKeys({ id: 'vault-1', key: createSecretKey(randomBytes(32)) });
    await assert.rejects(reveal(runId, scene.ada, { keys }), { name: 'SealError' });
    assert.deepEqual(await tracesOf(runId), { entries: [], uses: [] });
  });

  it('are revealed or the report is signed off first, when both are asked for at once', async () => {
    for (let round = 0; round < 6; round++) {
      const runId = await completeRun();
      await take(runId, 'ada');
      const [revealed] = await Promise.allSettled([reveal(runId, scene.ada), signOff(runId, 'ada')]);
      const { entries } = await tracesOf(runId);
      assert.equal(entries.length, revealed.status === 'fulfilled' ? 1 : 0);
      await assert.rejects(reveal(runId, scene.ada), /was signed off/);
    }
  });
});
