import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { endpoints } from '@sortie/contract';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { type FrozenClock, freezeClock } from '@sortie/testing/database/frozen-clock.ts';
import { createCanary, dumpTables, findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import { createCreditAccount } from '@sortie/testing/world/credit-account.ts';
import { inTransaction } from '../db/database.ts';
import type { Credential } from '../db/schema.ts';
import type { LogFields } from '../platform/log.ts';
import { randomBase62 } from '../platform/new-id.ts';
import { SealError } from '../secrets/sealing.ts';
import { fixedVaultKeys } from '../secrets/service-secrets.ts';
import { deleteOldCredentials, openCredentials, sealCredentials } from './credentials.ts';
import { createCredentialJobs } from './jobs.ts';
import { sealedFields } from './sealed-run.ts';

const vaultKeys = fixedVaultKeys({ id: 'vault-1', key: createSecretKey(randomBytes(32)) });

/** Returns credentials of every kind, with a unique secret in every field that takes free text. */
function createCredentials(): { credentials: Credential[]; canaries: Record<string, string> } {
  const canaries: Record<string, string> = {};
  const canary = (name: string, alphabet?: 'url') => {
    const text = createCanary(alphabet);
    canaries[name] = text;
    return text;
  };
  const account = (name: string) => ({
    name,
    user: canary(`${name} user`),
    pass: canary(`${name} pass`),
    totpSecret: canary(`${name} totpSecret`),
    instructions: canary(`${name} instructions`),
  });
  const sent: Credential[] = [
    account('plain'),
    { ...account('form'), kind: 'FORM_LOGIN', mode: 'browser' },
    {
      ...account('client'),
      kind: 'BEARER_TOKEN',
      tokenUrl: `https://id.example.com/${canary('tokenUrl', 'url')}`,
      scope: canary('scope'),
      audience: canary('audience'),
    },
    { name: 'token', kind: 'BEARER_TOKEN', user: '', pass: canary('token pass') },
    { name: 'basic', kind: 'BASIC_AUTH', user: canary('basic user'), pass: '' },
    { ...account('cookie'), kind: 'COOKIE' },
    { ...account('key'), kind: 'API_KEY', location: 'query' },
  ];
  const body = { targetUrl: 'https://shop.example.com/', verificationId: 'tgt_1', credentials: sent };
  return { credentials: endpoints.startPentest.body.parse(body).credentials ?? [], canaries };
}

describe('stored test accounts', () => {
  let test: TestDatabase;
  let clock: FrozenClock;
  let accountId: string;
  let runId: string;
  const start = new Date('2030-01-31T23:30:00Z');

  const seal = (credentials: readonly Credential[], run = { accountId, runId }) =>
    inTransaction(test.database, (tx) => sealCredentials(tx, vaultKeys, { ...run, credentials }));
  const open = (run = { accountId, runId }, keys = vaultKeys) => openCredentials(test.database.queries, keys, run);
  const newRun = () => `run_${randomBase62(20)}`;
  const countRows = async () => {
    const { rows } = await test.database.pool.query(
      'select (select count(*) from credential) as credentials, (select count(*) from credential_key) as keys',
    );
    return rows[0];
  };

  before(async () => {
    test = await createTestDatabase();
    clock = await freezeClock(test.database, start);
  });
  after(() => test.drop());

  beforeEach(async () => {
    await test.database.pool.query('truncate credential, api_description, credential_key');
    await clock.moveTo(start);
    accountId = (await createCreditAccount(test.database)).accountId;
    runId = newRun();
  });

  it('come back as they were sent, of every kind and in their order', async () => {
    const { credentials } = createCredentials();
    await seal(credentials);
    const opened = await open();
    assert.equal(opened.length, credentials.length);
    for (const [position, sent] of credentials.entries()) {
      const one = opened[position];
      assert.ok(one);
      const { name, kind, mode, location } = one;
      assert.deepEqual(
        { name, kind, mode, location },
        {
          name: sent.name,
          kind: sent.kind ?? 'FORM_LOGIN',
          mode: sent.mode ?? 'auto',
          location: sent.location ?? 'header',
        },
      );
      for (const field of sealedFields) assert.equal(one[field]?.reveal(), sent[field], `${name} ${field}`);
    }
  });

  it('cannot be printed once they are open', async () => {
    const { credentials, canaries } = createCredentials();
    await seal(credentials);
    const opened = await open();
    const printed = inspect(opened, { depth: 10, showHidden: true }) + JSON.stringify(opened);
    assert.deepEqual(findLeaks(printed, canaries), []);
  });

  it('open for their own run and account only', async () => {
    const { credentials } = createCredentials();
    await seal(credentials);
    const { accountId: otherAccount } = await createCreditAccount(test.database);
    assert.deepEqual(await open({ accountId: otherAccount, runId }), []);
    assert.deepEqual(await open({ accountId, runId: newRun() }), []);
    for (const id of ['vault-1', 'vault-2']) {
      const others = fixedVaultKeys({ id, key: createSecretKey(randomBytes(32)) });
      await assert.rejects(open(undefined, others), SealError);
    }
  });

  it('are not there for a run without any', async () => {
    await seal([]);
    assert.deepEqual(await open(), []);
    assert.deepEqual(await countRows(), { credentials: 0, keys: 0 });
  });

  it('are stored with the start that brings them, or not at all', async () => {
    const { credentials } = createCredentials();
    const failing = inTransaction(test.database, async (tx) => {
      await sealCredentials(tx, vaultKeys, { accountId, runId, credentials });
      throw new Error('the start was refused');
    });
    await assert.rejects(failing, /refused/);
    assert.deepEqual(await countRows(), { credentials: 0, keys: 0 });
  });

  it('leave no trace of a secret in any table, in any form', async () => {
    const { credentials, canaries } = createCredentials();
    assert.equal(Object.keys(canaries).length, 5 * 4 + 3 + 2);
    await seal(credentials);
    const dump = await dumpTables(test.database);
    assert.ok(dump.includes('public.credential\n') && dump.includes(runId) && dump.includes('BEARER_TOKEN'));
    assert.deepEqual(findLeaks(dump, canaries), []);
  });

  it('would be found by that search if a secret leaked', async () => {
    const { canaries } = createCredentials();
    const entry = (details: unknown) =>
      test.database.queries
        .insertInto('audit_entry')
        .values({ actor: 'test', action: 'leak', account_id: null, subject: '', details: JSON.stringify(details) })
        .execute();
    const secret = Object.values(canaries)[0] ?? '';
    const wrapped = Buffer.from(`some bytes before ${secret}`);
    const plants = [
      () => entry({ secret }),
      () => entry({ secret: wrapped.toString('base64') }),
      () => entry({ secret: wrapped.toString('hex') }),
      () => entry({ secret: encodeURIComponent(secret) }),
      () => entry({ body: JSON.stringify({ secret }) }),
      () =>
        test.database.pool.query(
          `insert into credential_key (run_id, account_id, key_id, wrapped_key) values ($1, $2, 'x', $3)`,
          [newRun(), accountId, Buffer.from(wrapped.toString('base64'))],
        ),
      () =>
        test.database.pool.query('update api_key set secret_hash = $1, name = $2', [randomBytes(32), `key ${secret}`]),
    ];
    for (const [index, plant] of plants.entries()) {
      await plant();
      const found = findLeaks(await dumpTables(test.database), canaries);
      assert.notDeepEqual(found, [], `plant ${index}`);
      await test.database.pool.query(`
        alter table audit_entry disable trigger user; delete from audit_entry; alter table audit_entry enable trigger user;
        delete from credential_key; update api_key set name = ''`);
      assert.deepEqual(findLeaks(await dumpTables(test.database), canaries), [], `after plant ${index}`);
    }
  });

  it('do not open from a row that somebody moved or changed', async () => {
    const { credentials } = createCredentials();
    const sibling = { accountId, runId: newRun() };
    const changes = [
      `update credential set sealed_user = sealed_pass where run_id = $1 and name = 'plain' and $2 <> ''`,
      `update credential set sealed_pass = (select sealed_pass from credential where run_id = $1 and name = 'form')
        where run_id = $1 and name = 'plain' and $2 <> ''`,
      `update credential as moved set sealed_pass = other.sealed_pass from credential as other
        where moved.run_id = $1 and other.run_id = $2 and moved.name = other.name`,
      `update credential_key as moved set wrapped_key = other.wrapped_key from credential_key as other
        where moved.run_id = $1 and other.run_id = $2`,
      `update credential set name = 'renamed' where run_id = $1 and name = 'plain' and $2 <> ''`,
      `update credential set location = 'query' where run_id = $1 and name = 'plain' and $2 <> ''`,
      `update credential_key set key_id = 'vault-2' where run_id = $1 and $2 <> ''`,
    ];
    for (const change of changes) {
      await test.database.pool.query('truncate credential, api_description, credential_key');
      await seal(credentials);
      await seal(credentials, sibling);
      await open();
      const { rowCount } = await test.database.pool.query(change, [runId, sibling.runId]);
      assert.ok(rowCount, change);
      await assert.rejects(open(), SealError, change);
      await open(sibling);
    }
  });

  it('are deleted with their keys when they are 30 days old on the service clock, and not before', async () => {
    const { credentials } = createCredentials();
    const day = 24 * 60 * 60 * 1_000;
    await seal(credentials);
    const younger = { accountId, runId: newRun() };
    await clock.moveTo(new Date(start.getTime() + day));
    await seal(credentials.slice(0, 2), younger);

    for (const age of [30 * day - 60 * 60 * 1_000, 30 * day - 1]) {
      await clock.moveTo(new Date(start.getTime() + age));
      assert.equal(await deleteOldCredentials(test.database), 0);
      assert.equal((await open()).length, credentials.length);
    }
    await clock.moveTo(new Date(start.getTime() + 30 * day));
    assert.deepEqual(await open(), [], 'not used any more, although no job has run');
    assert.equal(await deleteOldCredentials(test.database), credentials.length);
    assert.deepEqual(await countRows(), { credentials: 2, keys: 1 });
    assert.equal((await open(younger)).length, 2);
    assert.equal(await deleteOldCredentials(test.database), 0);
  });

  it('are deleted however many there are', async () => {
    const [one] = createCredentials().credentials;
    assert.ok(one);
    await inTransaction(test.database, async (tx) => {
      for (let run = 0; run < 1_100; run++) {
        await sealCredentials(tx, vaultKeys, { accountId, runId: newRun(), credentials: [one] });
      }
    });
    await clock.moveTo(new Date('2030-06-01T00:00:00Z'));
    assert.equal(await deleteOldCredentials(test.database), 1_100);
    assert.deepEqual(await countRows(), { credentials: 0, keys: 0 });
  });

  it('are deleted by a daily job that reports the number and nothing else', async () => {
    const lines: [string, LogFields | undefined][] = [];
    const info = (message: string, fields?: LogFields) => void lines.push([message, fields]);
    const log = { debug: info, info, warn: info, error: info };
    const [job, ...others] = createCredentialJobs(test.database, log);
    assert.ok(job);
    assert.deepEqual([job.everySeconds, others], [86_400, []]);
    await job.run();
    assert.deepEqual(lines, []);
    const { credentials } = createCredentials();
    await seal(credentials);
    await clock.moveTo(new Date('2030-06-01T00:00:00Z'));
    await job.run();
    assert.deepEqual(lines, [['old test accounts were deleted', { count: credentials.length }]]);
  });
});
