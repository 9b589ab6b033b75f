import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Role } from '@sortie/contract';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { listAudit } from '../audit/audit.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { inTransaction, type Transaction } from '../db/database.ts';
import * as accounts from './accounts.ts';

const actor = 'operator';

describe('accounts', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  const change = <T>(work: (tx: Transaction) => Promise<T>) => inTransaction(test.database, work);
  const create = (kind: 'personal' | 'organization', plan = 'free') =>
    change((tx) => accounts.createAccount(tx, { name: 'Acme', kind, plan, actor }, defaultCatalogue));
  let users = 0;
  const createUser = () => {
    const email = `user${++users}@example.com`;
    return change((tx) => accounts.createUser(tx, { email, name: 'Ada', actor }));
  };
  const add = (accountId: string, userId: string, role: Role, allowance: number | null = null) =>
    change((tx) => accounts.addMember(tx, { accountId, userId, role, allowance, actor }));
  const actionsOf = async (accountId: string) =>
    (await listAudit(test.database.queries, { accountId, limit: 100 })).map(({ action }) => action);
  const rolesOf = async (accountId: string) =>
    (await accounts.listMembers(test.database.queries, accountId)).map(({ role }) => role);
  const refusal = (code: string, field?: string) => ({ name: 'AppError', code, field });

  describe('an account', () => {
    it('starts without members, on its plan, not suspended', async () => {
      const account = await create('organization', 'team');
      assert.match(account.id, /^acc_/);
      assert.deepEqual(
        { ...account, id: '', createdAt: undefined },
        {
          id: '',
          name: 'Acme',
          kind: 'organization',
          plan: 'team',
          suspendedAt: null,
          externalModels: true,
          createdAt: undefined,
        },
      );
      assert.deepEqual(await rolesOf(account.id), []);
      assert.deepEqual(await actionsOf(account.id), ['account.created']);
    });

    it('only has a plan of the catalogue', async () => {
      const account = await create('personal');
      for (const plan of ['gold', '', 'toString', '__proto__']) {
        await assert.rejects(create('personal', plan), refusal('VALIDATION_ERROR', 'plan'));
        await assert.rejects(
          change((tx) => accounts.setPlan(tx, { accountId: account.id, plan, actor }, defaultCatalogue)),
          refusal('VALIDATION_ERROR', 'plan'),
        );
      }
    });

    it('changes its plan, with one audit entry for each real change', async () => {
      const { id: accountId } = await create('personal');
      const set = (plan: string) => change((tx) => accounts.setPlan(tx, { accountId, plan, actor }, defaultCatalogue));
      assert.equal((await set('team')).plan, 'team');
      assert.equal((await set('team')).plan, 'team');
      const [entry] = await listAudit(test.database.queries, { accountId, limit: 1 });
      assert.deepEqual(entry?.details, { from: 'free', to: 'team' });
      assert.deepEqual(await actionsOf(accountId), ['account.plan-set', 'account.created']);
    });

    it('is suspended and resumed, and doing either again changes nothing', async () => {
      const { id: accountId } = await create('personal');
      const suspend = () => change((tx) => accounts.suspendAccount(tx, { accountId, actor }));
      const resume = () => change((tx) => accounts.resumeAccount(tx, { accountId, actor }));
      assert.equal((await resume()).suspendedAt, null);
      const first = await suspend();
      assert.ok(first.suspendedAt);
      assert.deepEqual(await suspend(), first);
      assert.equal((await resume()).suspendedAt, null);
      assert.deepEqual(await actionsOf(accountId), ['account.resumed', 'account.suspended', 'account.created']);
    });

    it('that does not exist is NOT_FOUND for every rule', async () => {
      const { id: userId } = await createUser();
      const accountId = 'acc_none';
      const attempts: ((tx: Transaction) => Promise<unknown>)[] = [
        (tx) => accounts.requireAccount(tx, accountId),
        (tx) => accounts.lockAccount(tx, accountId),
        (tx) => accounts.suspendAccount(tx, { accountId, actor }),
        (tx) => accounts.resumeAccount(tx, { accountId, actor }),
        (tx) => accounts.setPlan(tx, { accountId, plan: 'team', actor }, defaultCatalogue),
        (tx) => accounts.addMember(tx, { accountId, userId, role: 'OWNER', allowance: null, actor }),
        (tx) => accounts.removeMember(tx, { accountId, userId, actor }),
      ];
      for (const attempt of attempts) await assert.rejects(change(attempt), refusal('NOT_FOUND'));
    });
  });

  describe('a user', () => {
    it('has an e-mail address nobody else has, whatever its case', async () => {
      const user = await change((tx) => accounts.createUser(tx, { email: 'Ada@Example.com', name: 'Ada', actor }));
      assert.equal(user.email, 'ada@example.com');
      await assert.rejects(
        change((tx) => accounts.createUser(tx, { email: 'ADA@example.com', name: 'Other', actor })),
        (error: Error) => error.message.includes(user.id),
      );
    });

    it('is found by id and by e-mail address', async () => {
      const user = await createUser();
      for (const known of [user.id, user.email, user.email.toUpperCase()]) {
        assert.equal((await accounts.requireUser(test.database.queries, known)).id, user.id);
      }
      for (const unknown of ['usr_none', 'nobody@example.com', '']) {
        await assert.rejects(accounts.requireUser(test.database.queries, unknown), refusal('NOT_FOUND'));
      }
    });
  });

  describe('a personal account', () => {
    it('has exactly one member, its OWNER', async () => {
      const { id } = await create('personal');
      const [ada, bob] = [await createUser(), await createUser()];
      await assert.rejects(add(id, ada.id, 'ADMIN'), refusal('VALIDATION_ERROR', 'role'));
      await add(id, ada.id, 'OWNER');
      await assert.rejects(add(id, bob.id, 'OWNER'), refusal('VALIDATION_ERROR', 'account'));
      await assert.rejects(
        change((tx) => accounts.setRole(tx, { accountId: id, userId: ada.id, role: 'VIEWER', actor })),
        refusal('VALIDATION_ERROR', 'role'),
      );
      assert.deepEqual(await rolesOf(id), ['OWNER']);
      assert.deepEqual(await actionsOf(id), ['member.added', 'account.created']);
    });

    it('gets one owner only, however many are added at once', async () => {
      const { id } = await create('personal');
      const people = await Promise.all(Array.from({ length: 5 }, createUser));
      const results = await Promise.allSettled(people.map((user) => add(id, user.id, 'OWNER')));
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.deepEqual(await rolesOf(id), ['OWNER']);
    });
  });

  describe('an organization', () => {
    let accountId: string;
    let owner: string;
    let member: string;
    beforeEach(async () => {
      accountId = (await create('organization')).id;
      owner = (await createUser()).id;
      member = (await createUser()).id;
      await add(accountId, owner, 'OWNER');
      await add(accountId, member, 'MEMBER', 500);
    });

    const setRole = (userId: string, role: Role) =>
      change((tx) => accounts.setRole(tx, { accountId, userId, role, actor }));
    const remove = (userId: string) => change((tx) => accounts.removeMember(tx, { accountId, userId, actor }));

    it('lists its members with address, role and allowance', async () => {
      const members = await accounts.listMembers(test.database.queries, accountId);
      assert.deepEqual(
        members.map(({ userId, role, allowance }) => ({ userId, role, allowance })),
        [
          { userId: owner, role: 'OWNER', allowance: null },
          { userId: member, role: 'MEMBER', allowance: 500 },
        ],
      );
      assert.match(members[0]?.email ?? '', /@example\.com$/);
    });

    it('does not add the same person twice', async () => {
      await assert.rejects(add(accountId, member, 'VIEWER'), refusal('VALIDATION_ERROR', 'user'));
    });

    it('lets the operator change and remove its last OWNER', async () => {
      await setRole(owner, 'ADMIN');
      await remove(owner);
      assert.deepEqual(await rolesOf(accountId), ['MEMBER']);
    });

    it('changes an allowance, and none is no cap', async () => {
      const set = (allowance: number | null) =>
        change((tx) => accounts.setAllowance(tx, { accountId, userId: member, allowance, actor }));
      assert.equal((await set(0)).allowance, 0);
      assert.equal((await set(null)).allowance, null);
      assert.equal((await set(null)).allowance, null);
      assert.deepEqual((await actionsOf(accountId)).filter((action) => action === 'member.allowance-set').length, 2);
    });

    it('forgets the role of a member who was removed, and can take the member back', async () => {
      await remove(member);
      await assert.rejects(
        accounts.requireMember(test.database.queries, { accountId, userId: member }),
        refusal('NOT_FOUND'),
      );
      await assert.rejects(remove(member), refusal('NOT_FOUND'));
      await add(accountId, member, 'VIEWER');
      assert.deepEqual(await rolesOf(accountId), ['OWNER', 'VIEWER']);
    });

    it('has an audit entry for every change of its members, and none for what was refused', async () => {
      await setRole(member, 'ADMIN');
      await setRole(member, 'ADMIN');
      await assert.rejects(add(accountId, owner, 'VIEWER'));
      await remove(member);
      assert.deepEqual(await actionsOf(accountId), [
        'member.removed',
        'member.role-set',
        'member.added',
        'member.added',
        'account.created',
      ]);
    });
  });
});
