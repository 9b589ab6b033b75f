import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { after, before, describe, it } from 'node:test';
import { freezeClock } from '@sortie/testing/database/frozen-clock.ts';
import { createVaultScene, type VaultScene } from '@sortie/testing/server/vault.ts';
import { checkVault } from './credentials.ts';
import { USED_KEYS } from './vault-store.ts';

const day = 24 * 60 * 60 * 1_000;
const start = new Date('2030-01-01T00:00:00Z');
const at = (days: number) => new Date(start.getTime() + days * day);

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

function scansOf(plan: Plan): Plan[] {
  const own = plan['Relation Name'] === 'credential_key' ? [plan] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}

let scene: VaultScene;
before(async () => {
  scene = await createVaultScene();
});
after(() => scene.end());

describe('vault status', () => {
  it('shows each key with its runs, the oldest of them and when that is due, and counts what is overdue', async () => {
    const clock = await freezeClock(scene.test.database, start);
    const keys = await scene.loadKeys();
    const { id: first } = keys.current;
    const nothing = { runs: 0, oldestRun: null, sealedAt: null, deletionDueAt: null };
    assert.deepEqual(await scene.admin.vault.status({}), {
      keys: [{ id: first, state: 'CURRENT', ...nothing }],
      overdue: 0,
    });
    const oldest = await scene.seal(keys);
    await clock.moveTo(at(1));
    await scene.seal(keys);
    const { current } = await scene.admin.vault.rotate({});
    await clock.moveTo(at(29.99));
    const expected = { id: current, state: 'CURRENT', runs: 2, oldestRun: oldest, sealedAt: start };
    const listed = [
      { ...expected, deletionDueAt: at(30) },
      { id: first, state: 'OLD', ...nothing },
    ];
    assert.deepEqual(await scene.admin.vault.status({}), { keys: listed, overdue: 0 });
    await clock.moveTo(at(30));
    assert.deepEqual(await scene.admin.vault.status({}), { keys: listed, overdue: 1 });
  });
});

describe('the check at the start of a server', () => {
  it('steps from key to key in the index, and does not visit 100,000 runs', async () => {
    const { pool } = scene.test.database;
    const { current } = await scene.loadKeys();
    await pool.query(
      `insert into credential_key (run_id, account_id, key_id, wrapped_key)
       select 'many ' || number, $1, $2, '\\x00' from generate_series(1, 100000) as number`,
      [scene.accountId, current.id],
    );
    await pool.query('vacuum analyze credential_key');
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) ${USED_KEYS.compile(scene.test.database.queries).sql}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? assert.fail();
    const visited = scansOf(plan).map((scan) => scan['Actual Rows'] * scan['Actual Loops']);
    assert.ok(visited.length > 0 && Math.max(...visited) <= 3, JSON.stringify(visited));
    const began = performance.now();
    await checkVault(scene.test.database, await scene.loadKeys(), []);
    console.log(`start check over 100,000 runs: ${(performance.now() - began).toFixed(1)} ms`);
  });
});
