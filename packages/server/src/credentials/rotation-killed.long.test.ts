import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createVaultScene, type VaultScene } from '@sortie/testing/server/vault.ts';
import pg from 'pg';
import type { VaultKeys } from '../secrets/service-secrets.ts';

/** More than one batch. */
const RUNS = 520;
const script = path.resolve(import.meta.dirname, '../../../testing/src/server/vault-rotation.ts');

let scene: VaultScene;
let keys: VaultKeys;
let runs: string[];
beforeEach(async () => {
  scene = await createVaultScene();
  keys = await scene.loadKeys();
  runs = (await scene.sealMany(keys, RUNS)).sort();
});
afterEach(() => scene.end());

/** Starts a rotation that blocks on an obstacle, kills it there, and removes the obstacle. */
async function killAt(obstacle: string, options: { forgetOld?: boolean } = {}): Promise<void> {
  const holder = new pg.Client(scene.test.connection);
  await holder.connect();
  await holder.query('begin');
  await holder.query(obstacle);
  const parameters = [script, JSON.stringify(scene.test.connection), scene.folder.data, JSON.stringify(options)];
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const waiting = `select from pg_stat_activity
    where application_name = 'sortie admin' and wait_event_type = 'Lock' and datname = current_database()`;
  await waitFor(async () => ((await scene.test.database.pool.query(waiting)).rowCount ?? 0) > 0, {
    what: 'the rotation to reach the obstacle',
  });
  child.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  await holder.query('rollback');
  await holder.end();
}

async function assertAllOpen(): Promise<void> {
  const fresh = await scene.loadKeys();
  for (const run of runs) {
    await scene.assertOpens(fresh, run);
    await scene.assertOpens(keys, run);
  }
}

const idsInFile = async () => (await scene.loadKeys()).all().map(({ id }) => id);
const rewrappedByLog = async () =>
  (await scene.admin.audit.list({ limit: '1000' })).entries
    .filter(({ action }) => action === 'vault.rewrapped')
    .reduce((sum, { details }) => sum + Number(details.runs), 0);

/** Makes the first batch wait after its last write. */
const waitingBatch = `
  create function wait_in_batch() returns trigger language plpgsql as $$
  begin perform pg_advisory_xact_lock_shared(42); return new; end $$;
  create trigger wait_in_batch before insert on audit_entry for each row
    when (new.action = 'vault.rewrapped') execute function wait_in_batch();`;

interface Place {
  prepare?: string;
  obstacle: string;
  /** Whether servers already wrap with the new key. */
  hasBegun: boolean;
}

const places: Record<string, Place> = {
  'with its new key in the file and nothing in the database': {
    obstacle: 'lock table retired_vault_key in exclusive mode',
    hasBegun: false,
  },
  'with its old keys retired and not committed': {
    obstacle: 'lock table audit_entry in exclusive mode',
    hasBegun: false,
  },
  'before its first batch': {
    obstacle: 'select from credential_key order by run_id limit 1 for update',
    hasBegun: true,
  },
  'with its first batch wrapped and not committed': {
    prepare: waitingBatch,
    obstacle: 'select pg_advisory_xact_lock(42)',
    hasBegun: true,
  },
  'between its batches': {
    obstacle: 'select from credential_key order by run_id offset 510 limit 1 for update',
    hasBegun: true,
  },
};

describe('a rotation that is killed', () => {
  for (const [place, { prepare = '', obstacle, hasBegun }] of Object.entries(places)) {
    it(`${place} leaves everything open, and is finished by the next one with the same key`, async () => {
      const { id: first } = keys.current;
      await scene.test.database.pool.query(prepare);
      await killAt(obstacle);
      const [second = '', ...others] = await idsInFile();
      assert.deepEqual(others, [first]);
      await assertAllOpen();
      await scene.seal(keys).then((run) => runs.push(run));
      const { current, isNew } = await scene.admin.vault.rotate({});
      assert.deepEqual([current, isNew], [second, false]);
      assert.deepEqual(await scene.countByKey(), { [second]: RUNS + 1 });
      assert.equal(await rewrappedByLog(), hasBegun ? RUNS : RUNS + 1);
      await assertAllOpen();
      assert.deepEqual(await readdir(scene.folder.data), ['secrets.json']);
    });
  }

  it('before its old keys are removed leaves them, and the next one removes them', async () => {
    await scene.admin.vault.rotate({});
    const both = await idsInFile();
    await killAt('lock table audit_entry in exclusive mode', { forgetOld: true });
    assert.deepEqual(await idsInFile(), both);
    await assertAllOpen();
    const { forgotten } = await scene.admin.vault.rotate({ forgetOld: true });
    assert.deepEqual(forgotten, both.slice(1));
    await assertAllOpen();
  });
});
