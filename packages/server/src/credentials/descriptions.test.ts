import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type FrozenClock, freezeClock } from '@sortie/testing/database/frozen-clock.ts';
import { createCanary, dumpTables, findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import { createVaultScene, type VaultScene } from '@sortie/testing/server/vault.ts';
import { inTransaction } from '../db/database.ts';
import { newId } from '../platform/new-id.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';
import { deleteExpiredImports, deleteOldCredentials, openDescriptions, sealDescription } from './credentials.ts';

const begin = new Date('2030-01-31T23:30:00Z');
const after29Days = new Date('2030-03-01T23:30:00Z');
const after30Days = new Date('2030-03-02T23:30:00Z');
const canaries = { started: createCanary('url'), imported: createCanary('url') };
const described = (title: string) => JSON.stringify({ openapi: '3.0.0', info: { title }, paths: {} });

let scene: VaultScene;
let clock: FrozenClock;
let keys: VaultKeys;
let verificationId: string;
let runId: string;

before(async () => {
  scene = await createVaultScene();
  clock = await freezeClock(scene.test.database, begin);
  keys = await scene.loadKeys();
});
after(() => scene.end());
beforeEach(async () => {
  await clock.moveTo(begin);
  const url = `https://${newId('tgt').replace('_', '-').toLowerCase()}.example.com`;
  verificationId = (await scene.admin.target.attest({ account: scene.accountId, url })).verificationId;
  runId = newId('pen');
});

const importFile = (text = described(canaries.imported)) =>
  scene.admin.target.import({ id: verificationId, name: 'shop.json', file: text });
const sealStart = (text = described(canaries.started)) =>
  inTransaction(scene.test.database, (tx) =>
    sealDescription(tx, keys, { accountId: scene.accountId, owner: { runId }, text }),
  );
async function opened(owner = {}) {
  const all = { accountId: scene.accountId, runId, verificationId, ...owner };
  const descriptions = await openDescriptions(scene.test.database.queries, await scene.loadKeys(), all);
  return descriptions.map(({ name, text }) => [name, text.reveal()]);
}
const receiptsOf = async () =>
  (await scene.admin.vault.receipts({ account: scene.accountId })).receipts.map(({ names, kinds, reason }) => ({
    names,
    kinds,
    reason,
  }));

describe('API descriptions', () => {
  it('open to what was given, the import first, for their own run and verification only', async () => {
    await importFile();
    await sealStart();
    const both = [
      ['shop.json', described(canaries.imported)],
      [null, described(canaries.started)],
    ];
    assert.deepEqual(await opened(), both);
    assert.deepEqual(await opened({ runId: 'pen_other' }), both.slice(0, 1));
    assert.deepEqual(await opened({ verificationId: 'ver_other' }), both.slice(1));
    assert.deepEqual(await opened({ accountId: 'acc_other' }), []);
    assert.deepEqual(findLeaks(await dumpTables(scene.test.database), canaries), []);
  });

  it('of an unknown format are refused and not stored', async () => {
    await assert.rejects(importFile('hello'), { code: 'VALIDATION_ERROR', field: 'file', message: /OpenAPI/ });
    await assert.rejects(sealStart('hello'), { code: 'VALIDATION_ERROR', field: 'apiDescription' });
    assert.deepEqual(await opened(), []);
  });

  it('stay readable when the vault key is rotated', async () => {
    await importFile();
    await sealStart();
    const before = await opened();
    await scene.admin.vault.rotate({});
    const { forgotten } = await scene.admin.vault.rotate({ forgetOld: true });
    assert.ok(forgotten.length > 0);
    keys = await scene.loadKeys();
    assert.deepEqual(await opened(), before);
  });

  it('are deleted when they are 30 days old, which a receipt proves', async () => {
    await importFile();
    await sealStart();
    await clock.moveTo(after29Days);
    await deleteOldCredentials(scene.test.database);
    assert.equal((await opened()).length, 2);
    await clock.moveTo(after30Days);
    assert.deepEqual(await opened(), []);
    await deleteOldCredentials(scene.test.database);
    const { rows } = await scene.test.database.pool.query('select id from api_description');
    assert.deepEqual(rows, []);
    const given = (await receiptsOf()).filter(({ reason }) => reason === 'AGE');
    assert.deepEqual(new Set(given.flatMap(({ names }) => names)), new Set(['apiDescription', 'import']));
    assert.ok(given.every(({ kinds }) => kinds[0] === 'OPENAPI'));
  });

  it('of a start are deleted by "vault forget" with its test accounts', async () => {
    await scene.seal(keys, runId);
    await sealStart();
    await importFile();
    const { names } = await scene.admin.vault.forget({ run: runId });
    assert.deepEqual(names, ['customer']);
    assert.deepEqual(await opened(), [['shop.json', described(canaries.imported)]]);
  });

  it('of a start are deleted by "vault forget" if there are no test accounts', async () => {
    await sealStart();
    assert.deepEqual((await scene.admin.vault.forget({ run: runId })).names, ['apiDescription']);
    assert.deepEqual(await opened(), []);
  });
});

describe('an imported API description', () => {
  it('is listed with the target, without its content', async () => {
    assert.equal((await scene.admin.target.view({ id: verificationId })).imported, null);
    const { imported } = await importFile();
    assert.deepEqual(imported, {
      ...{ name: 'shop.json', kind: 'OPENAPI', importedAt: begin, deletionDueAt: after30Days },
      bytes: Buffer.byteLength(described(canaries.imported)),
    });
    assert.deepEqual((await scene.admin.target.view({ id: verificationId })).imported, imported);
  });

  it('is replaced by the next one, and both changes are audited', async () => {
    await importFile();
    await importFile(described('second'));
    assert.deepEqual(await opened(), [['shop.json', described('second')]]);
    const { entries } = await scene.admin.audit.list({ account: scene.accountId, limit: '2' });
    assert.deepEqual(
      entries.map(({ action, subject }) => [action, subject]),
      Array(2).fill(['target.imported', verificationId]),
    );
  });

  it('is removed once', async () => {
    await importFile();
    assert.equal((await scene.admin.target.removeImport({ id: verificationId })).imported, null);
    assert.deepEqual(await opened(), []);
    await assert.rejects(scene.admin.target.removeImport({ id: verificationId }), { code: 'NOT_FOUND' });
  });

  it('has at most 20 MB', async () => {
    const ofSize = (bytes: number) => described('').padEnd(bytes);
    await assert.rejects(importFile(ofSize(20_000_001)), { code: 'VALIDATION_ERROR', field: 'file' });
    assert.equal((await importFile(ofSize(20_000_000))).imported?.bytes, 20_000_000);
    assert.equal((await opened())[0]?.[1]?.length, 20_000_000);
  });

  it('is deleted with its verification once that has expired', async () => {
    await importFile();
    await scene.test.database.pool.query('update verification set expires_at = $1 where id = $2', [
      new Date(begin.getTime() + 86_400_000),
      verificationId,
    ]);
    assert.equal(await deleteExpiredImports(scene.test.database), 0);
    await clock.moveTo(after29Days);
    assert.equal(await deleteExpiredImports(scene.test.database), 1);
    assert.deepEqual(await opened(), []);
  });
});
