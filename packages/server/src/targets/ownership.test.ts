import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { OwnershipResult } from '@sortie/engine';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { createAccount } from '../accounts/accounts.ts';
import { listAudit } from '../audit/audit.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { advanceClock } from '../clock/clock.ts';
import { inTransaction, serviceNow, type Transaction } from '../db/database.ts';
import { backOffAfterCrash, renewLeases, returnLease } from '../jobs/leases.ts';
import * as targets from './targets.ts';

const actor = 'operator';
const url = 'https://shop.example.com';
const DAY_MS = 86_400_000;
const LEASE_MS = 60_000;
const table = 'ownership_check';

let test: TestDatabase;
let verification: targets.Verification;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const change = <T>(work: (tx: Transaction) => Promise<T>) => inTransaction(test.database, work);
beforeEach(async () => {
  await test.database.pool.query('delete from ownership_check');
  const account = { name: 'Acme', kind: 'organization', plan: 'free', actor } as const;
  const { id: accountId } = await change((tx) => createAccount(tx, account, defaultCatalogue));
  verification = await change((tx) => targets.addTarget(tx, { accountId, url, actor, method: 'file' }));
});

const queries = () => test.database.queries;
const ask = (verificationId = verification.id) =>
  change((tx) => targets.askForCheck(tx, { verificationId, actor: 'usr_ada' }));
const take = (owner = 'worker-1') => targets.takeOwnershipCheck(queries(), { owner, leaseMs: LEASE_MS });
const list = (id = verification.id) => targets.listChecks(queries(), id);
const current = () => targets.findVerification(queries(), verification.accountId, verification.id);
const obstacle = async () => {
  const found = await current();
  return found && targets.obstacleTo(found, url, await serviceNow(queries()));
};
const pass = (days: number) => change((tx) => advanceClock(tx, { seconds: days * 86_400, actor }));

function result(outcome: OwnershipResult['outcome']): OwnershipResult {
  const entry = { host: 'shop.example.com', port: 443, address: '192.0.2.7', outcome: 'CONTACTED' as const };
  return {
    outcome,
    message: `It is ${outcome}.`,
    lookUps: [{ place: `GET ${url}/`, seen: ['status 200'] }],
    egress: [{ ...entry, reason: null, connections: 1, requests: 1 }],
  };
}

async function check(outcome: OwnershipResult['outcome']): Promise<string> {
  const id = await ask();
  const taken = await take();
  assert.equal(taken?.id, id);
  assert.equal(await targets.completeCheck(test.database, taken, result(outcome)), true);
  return id;
}

const verified = async () =>
  (await listAudit(queries(), { accountId: verification.accountId, limit: 200 })).filter(
    ({ action }) => action === 'target.verified',
  );

describe('a check that somebody asks for', () => {
  it('waits for a worker, which is told what to look for', async () => {
    const id = await ask();
    assert.match(id, /^chk_[0-9A-Za-z]{20}$/);
    const [waiting] = await list();
    assert.deepEqual(
      [waiting?.id, waiting?.askedBy, waiting?.pentestId, waiting?.outcome, waiting?.checkedAt, waiting?.takenBy],
      [id, 'usr_ada', null, null, null, null],
    );
    const { token, coveredName, coveredOrigin } = verification;
    assert.deepEqual(await take(), { id, epoch: 1, attempts: 1, method: 'file', token, coveredName, coveredOrigin });
    assert.equal(await take(), undefined);
    assert.equal((await targets.readCheck(queries(), id)).takenBy, 'worker-1');
  });

  it('is one, however many ask for it before it is made', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => ask()));
    assert.equal(new Set(ids).size, 1);
    const taken = await take();
    assert.ok(taken);
    assert.equal(await ask(), ids[0]);
    await targets.completeCheck(test.database, taken, result('NOT_FOUND'));
    assert.notEqual(await ask(), ids[0]);
    assert.equal((await list()).length, 2);
  });

  it('is given to one worker, the oldest first', async () => {
    const first = await ask();
    const byMeta = { accountId: verification.accountId, url, actor, method: 'meta' as const };
    const second = await ask((await change((tx) => targets.addTarget(tx, byMeta))).id);
    const taken = await Promise.all(['a', 'b', 'c', 'd'].map(take));
    assert.deepEqual(new Set(taken.map((one) => one?.id)), new Set([first, second, undefined]));
    assert.equal(taken.filter((one) => one !== undefined).length, 2);
  });

  it('is passed over while somebody is busy with it', async () => {
    const id = await ask();
    await change(async (tx) => {
      await tx.selectFrom('ownership_check').select('id').where('id', '=', id).forUpdate().execute();
      assert.equal(await take(), undefined);
    });
    assert.equal((await take())?.id, id);
  });

  it('cannot be for an attestation, which is renewed in another way', async () => {
    const attested = await change((tx) => targets.attestTarget(tx, { accountId: verification.accountId, url, actor }));
    await assert.rejects(ask(attested.id), {
      code: 'VALIDATION_ERROR',
      field: 'id',
      message: new RegExp(`target attest --account ${verification.accountId} --url ${url}$`),
    });
    await assert.rejects(ask('ver_none'), { code: 'NOT_FOUND' });
    await assert.rejects(list('ver_none'), { code: 'NOT_FOUND' });
  });
});

describe('a check whose worker is gone', () => {
  const expire = (id: string) =>
    test.database.pool.query("update ownership_check set lease_until = now() - interval '1 s' where id = $1", [id]);

  it('is taken by another, and the first one can no longer complete it', async () => {
    const id = await ask();
    const lost = await take();
    await expire(id);
    const taken = await take('worker-2');
    assert.ok(lost && taken);
    assert.deepEqual([taken.epoch, taken.attempts], [2, 2]);
    assert.equal(await targets.completeCheck(test.database, lost, result('FOUND')), false);
    assert.equal((await current())?.verifiedAt, null);
    assert.deepEqual(await renewLeases(queries(), table, [lost], LEASE_MS), new Map([[id, 'LOST']]));
    assert.deepEqual(await renewLeases(queries(), table, [taken], LEASE_MS), new Map([[id, 'OURS']]));
    assert.equal(await targets.completeCheck(test.database, taken, result('NOT_FOUND')), true);
    assert.equal(await targets.completeCheck(test.database, taken, result('FOUND')), false);
    assert.equal((await list())[0]?.outcome, 'NOT_FOUND');
    assert.deepEqual(await verified(), []);
  });

  it('is free at once after an orderly stop, and after a rest when an engine crashed', async () => {
    const id = await ask();
    const first = await take();
    assert.ok(first);
    await returnLease(queries(), table, first);
    const second = await take();
    assert.deepEqual([second?.id, second?.attempts], [id, 1]);
    assert.ok(second);
    await backOffAfterCrash(queries(), table, second, LEASE_MS);
    assert.equal(await take(), undefined);
    await expire(id);
    assert.equal((await take())?.attempts, 2);
  });
});

describe('a token that was found', () => {
  it('completes the verification for 90 days on the service clock, with an entry in the audit log', async () => {
    assert.match((await obstacle()) ?? '', /not complete/);
    await pass(10);
    const checkId = await check('FOUND');
    const { verifiedAt, expiresAt, targetId } = (await current()) ?? {};
    assert.ok(verifiedAt && expiresAt);
    assert.ok(Math.abs(verifiedAt.getTime() - (await serviceNow(queries())).getTime()) < 60_000);
    assert.equal(expiresAt.getTime() - verifiedAt.getTime(), 90 * DAY_MS);
    assert.equal(await obstacle(), undefined);
    const [entry, ...more] = await verified();
    assert.deepEqual([entry?.actor, entry?.subject, more], ['usr_ada', targetId, []]);
    const details = { verificationId: verification.id, method: 'file', checkId, expiresAt: expiresAt.toISOString() };
    assert.deepEqual(entry?.details, details);
  });

  it('renews it, before and after it has expired', async () => {
    await check('FOUND');
    await pass(60);
    await check('FOUND');
    await pass(60);
    assert.equal(await obstacle(), undefined);
    await pass(31);
    assert.match((await obstacle()) ?? '', /expired at .* Renew it \(\/to\/targets\)\./);
    await check('FOUND');
    assert.equal(await obstacle(), undefined);
    assert.equal((await verified()).length, 3);
  });
});

describe('a token that was not found', () => {
  it('leaves the verification as it was, and is remembered with what was seen', async () => {
    await check('NOT_FOUND');
    assert.match((await obstacle()) ?? '', /not complete/);
    await check('FOUND');
    const { expiresAt } = (await current()) ?? {};
    await check('NOT_FOUND');
    await check('UNKNOWN');
    assert.deepEqual((await current())?.expiresAt, expiresAt);
    const checks = await list();
    assert.deepEqual(
      checks.map(({ outcome, message }) => [outcome, message]),
      (['UNKNOWN', 'NOT_FOUND', 'FOUND', 'NOT_FOUND'] as const).map((outcome) => [outcome, `It is ${outcome}.`]),
    );
    const { lookUps, egress } = result('UNKNOWN');
    assert.deepEqual([checks[0]?.lookUps, checks[0]?.egress], [lookUps, egress]);
  });
});

describe('the history of a verification', () => {
  it('keeps the last 100 checks, and the one that waits', async () => {
    await test.database.pool.query(
      `insert into ownership_check (id, account_id, verification_id, asked_by, asked_at, completed_at, outcome, message,
         look_ups, egress)
       select 'chk_' || number, $1, $2, 'usr_ada', service_now() - number * interval '1 min', service_now(), 'UNKNOWN',
         'old', '[]', '[]' from generate_series(1, 150) as number`,
      [verification.accountId, verification.id],
    );
    await check('NOT_FOUND');
    const waiting = await ask();
    const ids = (await list()).map(({ id }) => id);
    assert.deepEqual([ids.length, ids[0], ids[2], ids.at(-1)], [101, waiting, 'chk_1', 'chk_99']);
    const { rows } = await test.database.pool.query('select count(*)::integer as kept from ownership_check');
    assert.equal(rows[0].kept, 101);
  });
});
