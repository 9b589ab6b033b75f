import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { dumpTables, findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createVaultScene, secretOf, type VaultScene } from '@sortie/testing/server/vault.ts';
import { createVaultSource, vaultCommands } from '../admin/vault.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { inTransaction } from '../db/database.ts';
import { newId } from '../platform/new-id.ts';
import { SealError } from '../secrets/sealing.ts';
import { fixedVaultKeys, type VaultKeys } from '../secrets/service-secrets.ts';
import { checkVault, openCredentials, sealCredentials } from './credentials.ts';

let scene: VaultScene;
let keys: VaultKeys;
beforeEach(async () => {
  scene = await createVaultScene();
  keys = await scene.loadKeys();
});
afterEach(() => scene.end());

const sealMany = (count: number) => scene.sealMany(keys, count);
const idsInFile = async () => (await scene.loadKeys()).all().map(({ id }) => id);
const query = async (text: string) => (await scene.test.database.pool.query(text)).rows;
const readEntries = async () => (await scene.admin.audit.list({ limit: '1000' })).entries.reverse();
/** Reads the rows that no rotation may change. */
const readSealed = () => query('select * from credential order by run_id, position');

async function assertAllOpen(runs: readonly string[], opener = keys): Promise<void> {
  for (const run of runs) await scene.assertOpens(opener, run);
}

const RUNS = isFull ? 200 : 60;

describe('vault rotate', () => {
  it('makes a key and wraps all data keys by it, in batches, without touching what they seal', async () => {
    const runs = await sealMany(1_101);
    const { id: first } = keys.current;
    const before = await readSealed();
    const rotated = await scene.admin.vault.rotate({});
    assert.deepEqual(await idsInFile(), [rotated.current, first]);
    const expected = { isNew: true, rewrapped: 1_101, damaged: [], unused: [first], missing: [], forgotten: [] };
    assert.deepEqual(rotated, { current: rotated.current, ...expected });
    assert.deepEqual(await scene.countByKey(), { [rotated.current]: 1_101 });
    assert.deepEqual(await readSealed(), before);
    await assertAllOpen(runs.slice(0, 50));
    await assertAllOpen(runs.slice(-50), await scene.loadKeys());
    const entries = await readEntries();
    assert.deepEqual(
      entries.map(({ actor, action, accountId, subject, details }) => [actor, action, accountId, subject, details]),
      [
        ['operator', 'vault.keys-retired', null, rotated.current, { retired: [first] }],
        ...[500, 500, 101].map((count) => {
          return ['operator', 'vault.rewrapped', null, rotated.current, { runs: count, damaged: 0 }];
        }),
      ],
    );
  });

  it('lets a running server, which knows the first key only, go on opening and sealing', async () => {
    const [run = ''] = await sealMany(1);
    const { current: second } = await scene.admin.vault.rotate({});
    const { current: third } = await scene.admin.vault.rotate({});
    const later = await scene.seal(keys);
    await assertAllOpen([run, later]);
    assert.notEqual(second, third);
    assert.deepEqual(await scene.countByKey(), { [third]: 2 });
  });

  it('forgets old keys when asked to, those that wrap nothing only, and makes no new one then', async () => {
    const { id: first } = keys.current;
    const [run = ''] = await sealMany(3);
    const { current: second } = await scene.admin.vault.rotate({});
    const { current, isNew, forgotten, unused } = await scene.admin.vault.rotate({ forgetOld: true });
    assert.deepEqual([current, isNew, forgotten, unused], [second, false, [first], []]);
    assert.deepEqual(await idsInFile(), [second]);
    await assertAllOpen([run], await scene.loadKeys());
    const [last] = (await readEntries()).slice(-1);
    assert.deepEqual([last?.action, last?.details], ['vault.keys-forgotten', { forgotten: [first] }]);
    assert.deepEqual((await scene.admin.vault.rotate({ forgetOld: true })).forgotten, []);
  });

  it('finishes what is wrapped by old keys before it forgets them', async () => {
    const runs = await sealMany(3);
    await scene.admin.vault.rotate({});
    const { id: first } = keys.all().at(-1) ?? assert.fail();
    const older = await readFile(path.join(scene.folder.data, 'secrets.json'), 'utf8');
    const { vaultKeys, fingerprintKey } = JSON.parse(older);
    // As if everything were still wrapped by the older key.
    const swapped = JSON.stringify({ fingerprintKey, vaultKeys: vaultKeys.reverse() });
    await writeFile(path.join(scene.folder.data, 'secrets.json'), swapped);
    const back = await scene.admin.vault.rotate({ forgetOld: true });
    assert.deepEqual([back.current, back.rewrapped, back.forgotten.length], [first, 3, 1]);
    assert.deepEqual(await scene.countByKey(), { [first]: 3 });
    await assertAllOpen(runs, await scene.loadKeys());
    await scene.seal(await scene.loadKeys());
  });

  it('never fails a reader or a start, with eight readers, two starters and two rotations that forget', async () => {
    const runs = await sealMany(RUNS);
    const readers = await Promise.all(Array.from({ length: 8 }, () => scene.loadKeys()));
    const starters = [await scene.loadKeys(), keys];
    let isOver = false;
    let reads = 0;
    let seals = 0;
    const working = [
      ...readers.map(async (reader, index) => {
        for (let at = index; !isOver; at++, reads++) await scene.assertOpens(reader, runs[at % runs.length] ?? '');
      }),
      ...starters.map(async (starter) => {
        for (; !isOver; seals++) runs.push(await scene.seal(starter));
      }),
    ];
    const forgotten: string[] = [];
    const rotating = (async () => {
      for (let round = 0; round < 2; round++) {
        await scene.admin.vault.rotate({});
        forgotten.push(...(await scene.admin.vault.rotate({ forgetOld: true })).forgotten);
        const [readsSoFar, sealsSoFar] = [reads, seals];
        await waitFor(() => reads > readsSoFar + RUNS && seals > sealsSoFar + RUNS / 20, {
          what: 'readers and starters',
        });
      }
    })().finally(() => {
      isOver = true;
    });
    await Promise.all([rotating, ...working]);
    const [current = '', ...others] = await idsInFile();
    assert.deepEqual([others, forgotten.length], [[], 2]);
    assert.deepEqual(await scene.countByKey(), { [current]: runs.length });
    const fresh = await scene.loadKeys();
    await assertAllOpen(runs, fresh);
    for (const reader of [...readers, ...starters]) await assertAllOpen(runs.slice(0, 5), reader);
    assert.ok(reads > 2 * RUNS && seals > RUNS / 10, `${reads} reads, ${seals} starts`);
  });

  it('lets a reader that is overtaken, down to the forgetting of its key, read again', async () => {
    const [runId = ''] = await sealMany(1);
    const { accountId, admin, test } = scene;
    await admin.vault.rotate({});
    const late = await scene.loadKeys();
    let looks = 0;
    /** Rotates everything to a new key right after its first read. */
    const overtaken = test.database.queries.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (looks++ > 0) return result;
        await admin.vault.rotate({});
        await admin.vault.rotate({ forgetOld: true });
        late.find('not there: reads the file again');
        return result;
      },
    });
    const [opened] = await openCredentials(overtaken, late, { accountId, runId });
    assert.deepEqual([opened?.pass.reveal(), looks], [secretOf(runId), 2]);
  });

  it('lets a reader that nobody has overtaken fail once, not for ever', async () => {
    const [run = ''] = await sealMany(1);
    await query("update credential_key set key_id = '0000000000000000'");
    await assert.rejects(scene.assertOpens(keys, run), SealError);
  });

  it('waits for starts that are under way, and wraps what they seal', async () => {
    const { id: first } = keys.current;
    const runId = newId('pen');
    const { accountId, test, admin } = scene;
    const credentials = [{ name: 'customer', user: '', pass: secretOf(runId) }];
    const start = Promise.withResolvers<void>();
    const sealed = Promise.withResolvers<void>();
    const starting = inTransaction(test.database, async (tx) => {
      await sealCredentials(tx, keys, { accountId, runId, credentials });
      sealed.resolve();
      await start.promise;
    });
    await sealed.promise;
    const rotating = admin.vault.rotate({});
    await waitFor(
      async () => (await query("select from pg_locks where locktype = 'advisory' and not granted")).length > 0,
      { what: 'the rotation to wait' },
    ).finally(() => start.resolve());
    await starting;
    const { rewrapped, unused } = await rotating;
    assert.deepEqual([rewrapped, unused], [1, [first]]);
    await scene.assertOpens(await scene.loadKeys(), runId);
  });

  it('by two operators at once loses no key and no data key', async () => {
    const runs = await sealMany(20);
    const other = vaultCommands(
      { catalogue: defaultCatalogue, transact: (work) => inTransaction(scene.test.database, work) },
      createVaultSource(scene.folder.data),
    );
    const rotated = await Promise.all([scene.admin.vault.rotate({}), other.rotate({})]);
    const inFile = await idsInFile();
    for (const { current } of rotated) assert.ok(inFile.includes(current));
    await scene.admin.vault.rotate({ forgetOld: true });
    await assertAllOpen(runs, await scene.loadKeys());
  });

  it('leaves a data key that was tampered with as it is, tells whose it is, and makes no key until it is gone', async () => {
    const [good = '', bad = ''] = await sealMany(2);
    const { id: first } = keys.current;
    await query(`update credential_key set wrapped_key = wrapped_key || '\\x00' where run_id = '${bad}'`);
    const { current: second, rewrapped, damaged, unused } = await scene.admin.vault.rotate({});
    assert.deepEqual([rewrapped, damaged, unused], [1, [bad], []]);
    await scene.assertOpens(keys, good);
    await assert.rejects(scene.assertOpens(keys, bad), SealError);
    const again = await scene.admin.vault.rotate({ forgetOld: true });
    assert.deepEqual([again.forgotten, again.damaged], [[], [bad]]);
    assert.deepEqual(await idsInFile(), [second, first]);
    assert.equal((await scene.admin.vault.rotate({})).isNew, false);
    await scene.admin.vault.forget({ run: bad });
    assert.equal((await scene.admin.vault.rotate({})).isNew, true);
  });

  it('does not take over a data key that was moved to another run', async () => {
    const [moved = '', other = ''] = await sealMany(2);
    await query(`update credential_key set wrapped_key =
      (select wrapped_key from credential_key where run_id = '${other}') where run_id = '${moved}'`);
    assert.deepEqual((await scene.admin.vault.rotate({})).damaged, [moved]);
    await assert.rejects(scene.assertOpens(keys, moved), SealError);
  });

  it('leaves no key and no secret in any table, nor in what it answers', async () => {
    const runs = await sealMany(3);
    const answers = [await scene.admin.vault.rotate({}), await scene.admin.vault.status({})];
    const secrets = Object.fromEntries(runs.map((run) => [run, secretOf(run)]));
    const inFile = (await scene.loadKeys()).all().map(({ id, key }) => [id, key.export().toString('latin1')]);
    const dump = await dumpTables(scene.test.database);
    const searched = Buffer.concat([dump, Buffer.from(JSON.stringify([answers, await readEntries()]))]);
    assert.ok(dump.includes('vault.rewrapped'));
    assert.deepEqual(findLeaks(searched, secrets), []);
    for (const [id, bytes = ''] of inFile) {
      for (const form of ['base64', 'hex', 'latin1', 'base64url'] as const) {
        const text = Buffer.from(bytes, 'latin1').toString(form).replace(/=+$/, '');
        assert.ok(!searched.toString('latin1').includes(text), `${id} as ${form}`);
      }
    }
  });
});

describe('with keys from variables', () => {
  const newKey = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) });
  const [first, second] = [newKey('1111111111111111'), newKey('2222222222222222')];
  const commandsWith = (load: () => VaultKeys) =>
    vaultCommands(
      { catalogue: defaultCatalogue, transact: (work) => inTransaction(scene.test.database, work) },
      { load, file: undefined },
    );

  it('rotation goes to the current one, makes none, and forgets none', async () => {
    const run = await scene.seal(fixedVaultKeys(first));
    const vault = commandsWith(() => fixedVaultKeys(second, [first]));
    const { current, isNew, rewrapped, unused } = await vault.rotate({});
    assert.deepEqual([current, isNew, rewrapped, unused], [second.id, false, 1, [first.id]]);
    await scene.assertOpens(fixedVaultKeys(second), run);
    await assert.rejects(vault.rotate({ forgetOld: true }), { code: 'VALIDATION_ERROR', field: 'forgetOld' });
    assert.equal((await vault.rotate({})).rewrapped, 0);
  });

  it('a node that was not given the new key seals nothing; one that was given it to open seals with it', async () => {
    await scene.seal(fixedVaultKeys(first));
    await commandsWith(() => fixedVaultKeys(second, [first])).rotate({});
    await assert.rejects(scene.seal(fixedVaultKeys(first)), /1111111111111111 was retired for 2222222222222222/);
    const run = await scene.seal(fixedVaultKeys(first, [second]));
    await scene.assertOpens(fixedVaultKeys(second), run);
    assert.deepEqual(await scene.countByKey(), { [second.id]: 2 });
  });

  it('what a missing key wraps is told and left alone', async () => {
    await scene.seal(fixedVaultKeys(first));
    const vault = commandsWith(() => fixedVaultKeys(second));
    const { rewrapped, missing } = await vault.rotate({});
    assert.deepEqual([rewrapped, missing], [0, [first.id]]);
    const { keys: listed } = await vault.status({});
    assert.deepEqual(
      listed.map(({ id, state, runs }) => [id, state, runs]),
      [
        [second.id, 'CURRENT', 0],
        [first.id, 'MISSING', 1],
      ],
    );
  });

  it('a start is refused when a key is missing, unless it is known to be lost', async () => {
    const { database } = scene.test;
    await checkVault(database, fixedVaultKeys(second), []);
    await scene.seal(fixedVaultKeys(first));
    const refusal = {
      name: 'StartupError',
      message: /^Missing vault key 1111111111111111: .*\. Restore secrets\.json/,
    };
    await assert.rejects(checkVault(database, fixedVaultKeys(second), []), refusal);
    await checkVault(database, fixedVaultKeys(second, [first]), []);
    await checkVault(database, fixedVaultKeys(second), [first.id]);
  });

  it('a start with a retired key is refused without its successor, and takes the key back when that one is lost', async () => {
    const { database } = scene.test;
    await commandsWith(() => fixedVaultKeys(second, [first])).rotate({});
    const refusal = { name: 'StartupError', message: /^Missing vault key 2222222222222222: / };
    await assert.rejects(checkVault(database, fixedVaultKeys(first), []), refusal);
    await assert.rejects(scene.seal(fixedVaultKeys(first)), /was retired/);
    await checkVault(database, fixedVaultKeys(first), [second.id]);
    await scene.assertOpens(fixedVaultKeys(first), await scene.seal(fixedVaultKeys(first)));
  });
});
