import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Role, roles } from '@sortie/contract';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { addMember, createAccount, createUser, removeMember, setRole } from '../accounts/accounts.ts';
import { listAudit } from '../audit/audit.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { advanceClock } from '../clock/clock.ts';
import { inTransaction, serviceNow, type Transaction } from '../db/database.ts';
import * as targets from './targets.ts';

const actor = 'operator';
const url = 'https://shop.example.com/login?next=/';
const origin = 'https://shop.example.com';
const DAY_MS = 86_400_000;

describe('targets', () => {
  let test: TestDatabase;
  let accountId: string;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  const change = <T>(work: (tx: Transaction) => Promise<T>) => inTransaction(test.database, work);
  const createOrganization = async () => {
    const account = { name: 'Acme', kind: 'organization', plan: 'free', actor } as const;
    return (await change((tx) => createAccount(tx, account, defaultCatalogue))).id;
  };
  beforeEach(async () => {
    accountId = await createOrganization();
  });

  let users = 0;
  const createMember = (role: Role, ofAccount = accountId) =>
    change(async (tx) => {
      const { id: userId } = await createUser(tx, { email: `user${++users}@example.com`, name: 'Ada', actor });
      await addMember(tx, { accountId: ofAccount, userId, role, allowance: null, actor });
      return userId;
    });

  const add = (given = url) => change((tx) => targets.addTarget(tx, { accountId, url: given, actor }));
  const attest = (given = url, ofAccount = accountId) =>
    change((tx) => targets.attestTarget(tx, { accountId: ofAccount, url: given, actor }));
  const setApiRuns = (verificationId: string, apiRuns: boolean) =>
    change((tx) => targets.setApiRuns(tx, { verificationId, apiRuns, actor }));
  const assign = (verificationId: string, userId: string) =>
    change((tx) => targets.assignTarget(tx, { verificationId, userId, actor }));
  const unassign = (verificationId: string, userId: string) =>
    change((tx) => targets.unassignTarget(tx, { verificationId, userId, actor }));
  const find = (id: string, ofAccount = accountId) => targets.findVerification(test.database.queries, ofAccount, id);
  const list = () => targets.listTargets(test.database.queries, accountId);
  const now = () => serviceNow(test.database.queries);
  const audit = async () =>
    (await listAudit(test.database.queries, { accountId, limit: 100 }))
      .filter(({ action }) => action.startsWith('target.'))
      .map(({ action, subject, details }) => ({ action, subject, details }));
  const actions = async () => (await audit()).map(({ action }) => action);
  const refusal = (code: string, field?: string) => ({ name: 'AppError', code, field });

  describe('a target', () => {
    it('is the origin of a URL, with API runs off and a verification that is incomplete', async () => {
      const { id, targetId, createdAt, token, ...added } = await add('HTTPS://Shop.Example.com.:443/login');
      assert.match(id, /^ver_[0-9A-Za-z]{20}$/);
      assert.match(targetId, /^tgt_[0-9A-Za-z]{20}$/);
      assert.ok(createdAt instanceof Date);
      assert.match(token, /^[0-9a-f]{32}$/);
      assert.deepEqual(added, {
        accountId,
        origin,
        host: 'shop.example.com',
        apiRuns: false,
        method: 'attestation',
        coveredName: null,
        coveredOrigin: origin,
        verifiedAt: null,
        expiresAt: null,
      });
      assert.deepEqual(await audit(), [
        { action: 'target.added', subject: targetId, details: { verificationId: id, origin, method: 'attestation' } },
      ]);
    });

    it('is one of many in its account, listed oldest first', async () => {
      const urls = ['https://example.com', 'http://example.com', 'https://example.com:8443', 'http://[::1]:8080'];
      for (const one of urls) await add(one);
      assert.deepEqual(
        (await list()).map((target) => target.origin),
        urls,
      );
    });

    it('is there once, however its origin is written, and however often it is added at once', async () => {
      const { id } = await add();
      await assert.rejects(add('https://SHOP.example.com:443'), (error: Error) => error.message.includes(id));
      await assert.rejects(add(), refusal('VALIDATION_ERROR', 'url'));
      const results = await Promise.allSettled(Array.from({ length: 5 }, () => add('https://other.example.com')));
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const { reason } of results.filter((result) => result.status === 'rejected')) {
        assert.equal(reason.code, 'VALIDATION_ERROR');
      }
      assert.equal((await list()).length, 2);
    });

    it('may be the same in several accounts', async () => {
      const { id } = await attest();
      const other = await attest(url, await createOrganization());
      assert.notEqual(other.id, id);
    });

    it('needs a URL that has an origin, and an account', async () => {
      for (const wrong of ['', 'shop.example.com', 'ftp://example.com', 'https://a@example.com', 'https://*.a.com']) {
        await assert.rejects(add(wrong), refusal('VALIDATION_ERROR', 'url'));
        await assert.rejects(attest(wrong), refusal('VALIDATION_ERROR', 'url'));
      }
      accountId = 'acc_none';
      await assert.rejects(add(), refusal('NOT_FOUND'));
      await assert.rejects(attest(), refusal('NOT_FOUND'));
    });

    it('has its API runs turned on and off, with one audit entry for each real change', async () => {
      const { id, targetId } = await add();
      assert.equal((await setApiRuns(id, false)).apiRuns, false);
      assert.equal((await setApiRuns(id, true)).apiRuns, true);
      assert.equal((await setApiRuns(id, true)).apiRuns, true);
      assert.equal((await find(id))?.apiRuns, true);
      assert.equal((await setApiRuns(id, false)).apiRuns, false);
      const set = 'target.api-runs-set';
      assert.deepEqual((await audit()).slice(0, -1), [
        { action: set, subject: targetId, details: { apiRuns: false } },
        { action: set, subject: targetId, details: { apiRuns: true } },
      ]);
      await assert.rejects(setApiRuns('ver_none', true), refusal('NOT_FOUND'));
    });
  });

  describe('an attestation', () => {
    it('completes the pending verification of its target, for 90 days', async () => {
      const { id, targetId } = await add();
      const attested = await attest();
      assert.equal(attested.id, id);
      assert.ok(attested.verifiedAt && attested.expiresAt);
      assert.ok(Math.abs(attested.verifiedAt.getTime() - (await now()).getTime()) < 60_000);
      assert.equal(attested.expiresAt.getTime() - attested.verifiedAt.getTime(), 90 * DAY_MS);
      const details = { verificationId: id, origin, expiresAt: attested.expiresAt.toISOString() };
      assert.deepEqual((await audit())[0], { action: 'target.attested', subject: targetId, details });
    });

    it('adds the target if need be, also when asked for several times at once', async () => {
      const results = await Promise.all(Array.from({ length: 5 }, () => attest()));
      assert.equal(new Set(results.map(({ id }) => id)).size, 1);
      assert.equal((await list()).length, 1);
      assert.deepEqual(await actions(), [...Array(5).fill('target.attested'), 'target.added']);
    });

    it("covers the names below the sandbox's, and of no other name", async () => {
      const covered = ({ coveredName, coveredOrigin }: targets.Verification) => coveredName ?? coveredOrigin;
      assert.equal(covered(await attest('https://sandbox.example/')), 'sandbox.example');
      assert.equal(covered(await attest('https://failed.sandbox.example/')), 'https://failed.sandbox.example');
      assert.equal(covered(await attest('https://example/')), 'https://example');
    });

    it('is renewed under the same id, even when it has expired', async () => {
      const first = await attest();
      await setApiRuns(first.id, true);
      await change((tx) => advanceClock(tx, { seconds: 91 * 86_400, actor }));
      assert.ok(targets.obstacleTo(first, url, await now()));
      const renewed = await attest();
      assert.deepEqual([renewed.id, renewed.apiRuns], [first.id, true]);
      assert.equal(targets.obstacleTo(renewed, url, await now()), undefined);
    });
  });

  describe('a verification', () => {
    it('is found in its own account only', async () => {
      const { id, ...verification } = await attest();
      assert.deepEqual(await find(id), { id, ...verification });
      assert.equal(await find(id, await createOrganization()), undefined);
      for (const odd of ['ver_none', '', verification.targetId, "' or 1=1"]) assert.equal(await find(odd), undefined);
    });

    it('is usable when complete, unexpired and covering the URL', async () => {
      const pending = await add();
      assert.ok(targets.obstacleTo(pending, url, await now()));
      const verification = await attest();
      const { verifiedAt, expiresAt } = verification;
      assert.ok(verifiedAt && expiresAt);
      assert.equal(targets.obstacleTo(verification, url, verifiedAt), undefined);
      assert.equal(targets.obstacleTo(verification, url, new Date(expiresAt.getTime() - 1)), undefined);
      assert.ok(targets.obstacleTo(verification, url, expiresAt));
      for (const other of ['https://example.com/', 'http://shop.example.com/', 'https://a.shop.example.com/']) {
        assert.ok(targets.obstacleTo(verification, other, verifiedAt));
      }
    });

    it('by DNS covers the name with all below it', async () => {
      const { targetId } = await add();
      await test.database.pool.query(
        `insert into verification (id, account_id, target_id, method, covered_name, verified_at, expires_at)
         values ('ver_dns' || $1, $1, $2, 'dns', 'example.com', service_now(), service_now() + interval '1 day')`,
        [accountId, targetId],
      );
      const byDns = await find(`ver_dns${accountId}`);
      assert.ok(byDns);
      for (const one of [url, 'http://example.com:8080/', 'https://a.b.example.com/']) {
        assert.equal(targets.obstacleTo(byDns, one, await now()), undefined);
      }
      assert.ok(targets.obstacleTo(byDns, 'https://evil-example.com/', await now()));
      assert.equal((await list()).length, 2);
    });

    it('is stored with exactly one coverage, as its method has it', async () => {
      const { targetId } = await add();
      const insert = (method: string, name: string | null, covered: string | null) =>
        test.database.pool.query(
          `insert into verification (id, account_id, target_id, method, covered_name, covered_origin)
           values ('ver_' || $1 || $2, $1, $3, $2, $4, $5)`,
          [accountId, method, targetId, name, covered],
        );
      await assert.rejects(insert('dns', null, origin), { code: '23514' });
      await assert.rejects(insert('dns', 'example.com', origin), { code: '23514' });
      await assert.rejects(insert('dns', 'Example.com', null), { code: '23514' });
      await assert.rejects(insert('dns', 'example.com.', null), { code: '23514' });
      await assert.rejects(insert('file', 'example.com', null), { code: '23514' });
      await assert.rejects(insert('file', null, null), { code: '23514' });
      await assert.rejects(insert('mail', null, origin), { code: '23514' });
      await assert.rejects(insert('attestation', null, origin), { code: '23505' });
      await insert('dns', 'example.com', null);
      await insert('file', null, origin);
    });
  });

  describe('an assignment', () => {
    const isAssigned = (userId: string, role: Role, targetId: string) =>
      targets.isAssigned(test.database.queries, { accountId, userId, role, targetId });
    const isHostAssigned = (userId: string, role: Role, host: string) =>
      targets.isHostAssigned(test.database.queries, { accountId, userId, role, host });

    it('is needed by MEMBER and VIEWER; OWNER and ADMIN count as assigned to everything', async () => {
      const { id, targetId, host } = await add();
      const { targetId: otherId } = await add('https://other.example.com');
      for (const role of roles) {
        const userId = await createMember(role);
        const hasAll = role === 'OWNER' || role === 'ADMIN';
        assert.equal(await isAssigned(userId, role, targetId), hasAll, role);
        assert.equal(await isHostAssigned(userId, role, host), hasAll, role);
        await assign(id, userId);
        assert.equal(await isAssigned(userId, role, targetId), true, role);
        assert.equal(await isHostAssigned(userId, role, host), true, role);
        assert.equal(await isAssigned(userId, role, otherId), hasAll, role);
        await unassign(id, userId);
        assert.equal(await isAssigned(userId, role, targetId), hasAll, role);
      }
    });

    it('lets scans reach the name of the target and the names below it', async () => {
      const userId = await createMember('MEMBER');
      await assign((await add('https://shop.exämple.com:8443')).id, userId);
      await assign((await add('http://192.0.2.7')).id, userId);
      for (const host of ['shop.exämple.com', 'SHOP.xn--exmple-cua.com.', 'a.b.shop.exämple.com', '192.0.2.7']) {
        assert.equal(await isHostAssigned(userId, 'MEMBER', host), true, host);
      }
      for (const host of [
        'exämple.com',
        'workshop.exämple.com',
        'shop.exämple.com.evil.test',
        '192.0.2.70',
        '',
        'a/b',
      ]) {
        assert.equal(await isHostAssigned(userId, 'MEMBER', host), false, host);
      }
    });

    it('is listed with the target, and doing it again changes nothing', async () => {
      const { id, targetId } = await add();
      const [ada, bob] = [await createMember('MEMBER'), await createMember('VIEWER')];
      for (const userId of [ada, bob, ada]) await assign(id, userId);
      assert.deepEqual((await list())[0]?.assignedTo, [ada, bob]);
      await unassign(id, ada);
      await unassign(id, ada);
      assert.deepEqual((await list())[0]?.assignedTo, [bob]);
      assert.deepEqual((await audit()).slice(0, -1), [
        { action: 'target.unassigned', subject: targetId, details: { userId: ada } },
        { action: 'target.assigned', subject: targetId, details: { userId: bob } },
        { action: 'target.assigned', subject: targetId, details: { userId: ada } },
      ]);
    });

    it("is for members of the target's own account", async () => {
      const { id, targetId } = await add();
      const stranger = await createMember('MEMBER', await createOrganization());
      await assert.rejects(assign(id, stranger), refusal('NOT_FOUND'));
      await assert.rejects(unassign(id, stranger), refusal('NOT_FOUND'));
      await assert.rejects(assign('ver_none', stranger), refusal('NOT_FOUND'));
      const member = await createMember('MEMBER');
      await assert.rejects(assign(targetId, member), refusal('NOT_FOUND'));
    });

    it('survives a change of role, but not leaving the account', async () => {
      const { id, targetId } = await add();
      const userId = await createMember('MEMBER');
      await assign(id, userId);
      await change((tx) => setRole(tx, { accountId, userId, role: 'VIEWER', actor }));
      assert.equal(await isAssigned(userId, 'VIEWER', targetId), true);
      await change((tx) => removeMember(tx, { accountId, userId, actor }));
      await change((tx) => addMember(tx, { accountId, userId, role: 'MEMBER', allowance: null, actor }));
      assert.equal(await isAssigned(userId, 'MEMBER', targetId), false);
    });

    it('in one account says nothing about another', async () => {
      const userId = await createMember('MEMBER');
      const { id, targetId, host } = await add();
      await assign(id, userId);
      accountId = await createOrganization();
      await change((tx) => addMember(tx, { accountId, userId, role: 'MEMBER', allowance: null, actor }));
      assert.equal(await isAssigned(userId, 'MEMBER', targetId), false);
      assert.equal(await isHostAssigned(userId, 'MEMBER', host), false);
    });

    it('cannot be stored for a target of another account', async () => {
      const { targetId } = await add();
      const other = await createOrganization();
      const userId = await createMember('MEMBER', other);
      const insert = 'insert into target_assignment (account_id, user_id, target_id) values ($1, $2, $3)';
      await assert.rejects(test.database.pool.query(insert, [other, userId, targetId]), { code: '23503' });
    });
  });
});
