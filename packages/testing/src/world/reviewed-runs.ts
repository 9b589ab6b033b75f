import assert from 'node:assert/strict';
import { createSecretKey, randomUUID } from 'node:crypto';
import { type Admin, defaultCatalogue, openAdmin } from '@sortie/server';
import { inTransaction } from '../../../server/src/db/database.ts';
import { createPentest, endRun, pentestKind, saveStep, takePentest } from '../../../server/src/pentests/pentests.ts';
import { newId } from '../../../server/src/platform/new-id.ts';
import { fixedVaultKeys } from '../../../server/src/secrets/service-secrets.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { createTarget, grantCredits, type Target } from './starts.ts';

type Depth = 'LEAD' | 'STANDARD' | 'DEEP';
type Outcome = 'COMPLETED' | 'FAILED' | 'CANCELLED';
type Step = Parameters<typeof saveStep>[2];

interface Used {
  engineMs: number;
  requests: number;
  modelMicrodollars: number;
}

/** A fifth of a Standard run's time, and a tenth of its requests and model budget. */
const SOME_WORK: Used = { engineMs: 36 * 60_000, requests: 2_500, modelMicrodollars: 1_500_000 };

/** An account with ample credits, two reviewers, and runs that end without a worker. */
export interface ReviewScene {
  test: TestDatabase;
  admin: Admin;
  /** The account's owner, as an API caller. */
  owner: { accountId: string; userId: string; role: 'OWNER' };
  target: Target;
  ada: string;
  ben: string;
  /** Creates a run that is QUEUED but not in the queue, on the target of the scene by default. */
  startRun(depth?: Depth, on?: { target: Target; starter?: Starter }): Promise<string>;
  /** Another target: of the account of the scene, or of another account. */
  addTarget(): Promise<{ target: Target }>;
  addAccount(): Promise<{ target: Target; starter: Starter }>;
  /** Creates a run in progress, with one step and three findings. */
  workOnRun(depth?: Depth, used?: Used): Promise<string>;
  endRun(runId: string, outcome: Outcome): Promise<void>;
  /** Creates a COMPLETED run, with one step and three findings. */
  completeRun(depth?: Depth, used?: Used): Promise<string>;
  end(): Promise<void>;
}

export async function createReviewScene(): Promise<ReviewScene> {
  const test = await createTestDatabase();
  const admin = openAdmin({ connection: test.connection, catalogue: defaultCatalogue });
  const starter = await createStarter(admin);
  const { accountId, userId } = starter;
  const target = await createTarget(admin, starter);
  const startRun: ReviewScene['startRun'] = (depth = 'STANDARD', on = { target }) =>
    start(test, on.starter ?? starter, { ...on.target, depth });

  async function workOnRun(depth?: Depth, used = SOME_WORK): Promise<string> {
    const runId = await startRun(depth);
    await inTransaction(test.database, (tx) => pentestKind.enqueue(tx, runId));
    const lease = await takePentest(test.database.queries, { owner: 'worker-1', leaseMs: 60_000 });
    assert.equal(lease?.id, runId);
    assert.ok(await saveStep(test.database, lease, stepWithFindings(used), used.engineMs));
    return runId;
  }

  async function end(runId: string, outcome: Outcome): Promise<void> {
    const run = { accountId, runId };
    assert.ok(await inTransaction(test.database, (tx) => endRun(tx, run, outcome, 'All of it was tested.')));
  }

  return {
    test,
    admin,
    owner: { accountId, userId, role: 'OWNER' },
    target,
    ada: await createStaff(admin, 'REVIEWER'),
    ben: await createStaff(admin, 'OPERATOR'),
    startRun,
    addTarget: async () => ({ target: await createTarget(admin, starter) }),
    async addAccount() {
      const other = await createStarter(admin);
      return { starter: other, target: await createTarget(admin, other) };
    },
    workOnRun,
    endRun: end,
    async completeRun(depth, used) {
      const runId = await workOnRun(depth, used);
      await end(runId, 'COMPLETED');
      return runId;
    },
    async end() {
      await admin.close();
      await test.drop();
    },
  };
}

type Starter = Parameters<typeof createPentest>[2];

async function createStarter(admin: Admin): Promise<Starter> {
  const { id: account } = await admin.account.create({ name: 'Acme', kind: 'organization', plan: 'business' });
  const { id: user } = await admin.user.create({ email: `${randomUUID()}@example.test` });
  await admin.member.add({ account, user, role: 'OWNER' });
  const { id: apiKeyId } = await admin.key.create({ account, user, permissions: 'all' });
  await grantCredits(admin, { accountId: account }, 1_000_000);
  return { accountId: account, userId: user, apiKeyId };
}

async function createStaff(admin: Admin, staff: 'REVIEWER' | 'OPERATOR'): Promise<string> {
  return (await admin.user.create({ email: `${randomUUID()}@example.test`, staff })).id;
}

async function start({ database }: TestDatabase, starter: Starter, body: Target & { depth: Depth }): Promise<string> {
  const runId = newId('pen');
  const vaultKeys = fixedVaultKeys({ id: 'unused', key: createSecretKey(Buffer.alloc(32)) });
  const rules = { catalogue: defaultCatalogue, vaultKeys };
  await inTransaction(database, (tx) => createPentest(tx, runId, starter, body, rules));
  return runId;
}

function stepWithFindings({ requests, modelMicrodollars }: Used): Step {
  const common = { confidence: 'FIRM', remediation: 'Repair it.', method: 'GET', parameter: 'q' } as const;
  const place = { affectedUrl: 'https://shop.example.test/search', cwe: 89 };
  return {
    type: 'step',
    name: 'WEB_TEST/1',
    phase: 'WEB_TEST',
    requests,
    modelMicrodollars,
    findings: (['HIGH', 'LOW', 'INFO'] as const).map((severity, index) => ({
      ...common,
      ...place,
      title: `Finding ${index + 1}`,
      description: 'First line.\nSecond line.',
      severity,
      cvssScore: 8.1 - 3 * index,
      fingerprint: `fingerprint-${index + 1}`,
      checkId: 'sql-injection-error',
      cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H',
      cvss4Vector: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
      impact: 'An attacker reads the database.',
      stepsToReproduce: ['Send the request.'],
      location: 'query' as const,
      references: ['https://cwe.mitre.org/data/definitions/89.html'],
    })),
  };
}
