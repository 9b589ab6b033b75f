import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { sql } from 'kysely';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { type Admin, openAdmin } from './admin.ts';

let test: TestDatabase;
let admin: Admin;
before(async () => {
  test = await createTestDatabase();
  admin = openAdmin({ connection: test.connection, catalogue: defaultCatalogue });
});
after(async () => {
  await admin.close();
  await test.drop();
});

const wrong = (field: string) => ({ name: 'AppError', code: 'VALIDATION_ERROR', field });
const missing = { name: 'AppError', code: 'NOT_FOUND' };

let people = 0;
const createUser = () => admin.user.create({ email: `person${++people}@example.com` });
const createAccount = (kind: 'personal' | 'organization' = 'organization') =>
  admin.account.create({ name: 'Acme', kind });

async function createOwner(kind?: 'personal' | 'organization') {
  const account = (await createAccount(kind)).id;
  const user = (await createUser()).id;
  await admin.member.add({ account, user, role: 'OWNER' });
  return { account, user };
}

const actionsOf = async (account: string) => (await admin.audit.list({ account })).entries.map(({ action }) => action);

describe('account commands', () => {
  for (const kind of ['personal', 'organization'] as const) {
    it(`set up a ${kind} account with a key and credits`, async () => {
      const { account, user } = await createOwner(kind);
      await admin.key.create({ account, user, permissions: 'all' });
      await admin.credits.grant({ account, source: 'purchased', amount: '20000' });
      const shown = await admin.account.show({ id: account });
      assert.deepEqual(shown.balance, { available: 20_000, held: 0, plan: 0, purchased: 20_000, nextExpiry: null });
      assert.deepEqual([shown.kind, shown.plan, shown.suspendedAt], [kind, 'free', null]);
      assert.deepEqual(
        shown.members.map(({ userId, role, allowance }) => ({ userId, role, allowance })),
        [{ userId: user, role: 'OWNER', allowance: null }],
      );
      assert.deepEqual(await actionsOf(account), ['credits.granted', 'key.created', 'member.added', 'account.created']);
    });
  }

  it('grant the credits of a plan at once, and the difference when it is changed', async () => {
    const { id } = await admin.account.create({ name: 'Acme', kind: 'organization', plan: 'team' });
    assert.equal((await admin.account.show({ id })).balance.plan, 5_000);
    assert.equal((await admin.account.setPlan({ id, plan: 'business' })).plan, 'business');
    await admin.account.setPlan({ id, plan: 'business' });
    assert.equal((await admin.account.show({ id })).balance.plan, 25_000);
    await assert.rejects(admin.account.setPlan({ id, plan: 'gold' }), wrong('plan'));
    await assert.rejects(admin.account.setPlan({ id: 'acc_none', plan: 'team' }), missing);
  });

  it('suspend and resume, each as often as asked', async () => {
    const { id } = await createAccount();
    const { suspendedAt } = await admin.account.suspend({ id });
    assert.deepEqual((await admin.account.suspend({ id })).suspendedAt, suspendedAt);
    await admin.account.resume({ id });
    assert.equal((await admin.account.resume({ id })).suspendedAt, null);
    assert.deepEqual(await actionsOf(id), ['account.resumed', 'account.suspended', 'account.created']);
  });

  it('refuse what is missing, wrong or unknown', async () => {
    const { create, show, suspend, resume } = admin.account;
    await assert.rejects(create({ kind: 'personal' } as never), wrong('name'));
    for (const name of ['', ' ', 'a\u001b[2J', 'a\0', 'a'.repeat(201)]) {
      await assert.rejects(create({ name, kind: 'personal' }), wrong('name'));
    }
    await assert.rejects(create({ name: 'Acme', kind: 'team' as never }), wrong('kind'));
    await assert.rejects(create({ name: 'Acme' } as never), wrong('kind'));
    await assert.rejects(create({ name: 'Acme', kind: 'personal', plan: 'gold' }), wrong('plan'));
    for (const command of [show, suspend, resume]) await assert.rejects(command({ id: 'acc_none' }), missing);
  });
});

describe('list commands', () => {
  it('show the newest accounts first, up to the limit', async () => {
    const [older, newer] = [await createAccount(), await createAccount('personal')];
    assert.deepEqual(await admin.account.list({ limit: '2' }), { accounts: [newer, older] });
    assert.ok((await admin.account.list({})).accounts.length > 2);
    for (const limit of ['0', '1001', 'all']) await assert.rejects(admin.account.list({ limit }), wrong('limit'));
    await assert.rejects(admin.account.show({ id: 'acc_none' }), /npx sortie admin account list/);
  });

  it('show the newest users first, up to the limit', async () => {
    const [older, newer] = [await createUser(), await createUser()];
    // Links are shown when they are created, and never again.
    const users = [newer, older].map(({ link: _link, linkExpiresAt: _linkExpiresAt, ...user }) => user);
    assert.deepEqual(await admin.user.list({ limit: '2' }), { users });
    await assert.rejects(admin.user.list({ limit: '0' }), wrong('limit'));
    await assert.rejects(admin.key.create({ ...(await createOwner()), user: 'usr_none', permissions: 'all' }), {
      message: /npx sortie admin user list/,
    });
  });
});

describe('user commands', () => {
  it('create a user by an e-mail address nobody has yet', async () => {
    const user = await admin.user.create({ email: 'Ada.L@Example.com' });
    assert.deepEqual([user.email, user.name], ['ada.l@example.com', 'Ada.L@Example.com']);
    await assert.rejects(admin.user.create({ email: 'ADA.L@example.com' }), wrong('email'));
    for (const email of ['ada', '@example.com', '', `${'a'.repeat(250)}@example.com`]) {
      await assert.rejects(admin.user.create({ email }), wrong('email'));
    }
  });
});

describe('member commands', () => {
  it('add, change and remove a member, named by id or e-mail address', async () => {
    const { account } = await createOwner();
    const { id, email } = await createUser();
    const added = await admin.member.add({ account, user: email, role: 'MEMBER', allowance: '500' });
    assert.deepEqual([added.accountId, added.userId, added.role, added.allowance], [account, id, 'MEMBER', 500]);
    assert.equal((await admin.member.setRole({ account, user: id, role: 'VIEWER' })).role, 'VIEWER');
    assert.equal((await admin.member.setAllowance({ account, user: email, allowance: '0' })).allowance, 0);
    assert.equal((await admin.member.setAllowance({ account, user: id, allowance: 'none' })).allowance, null);
    assert.equal((await admin.member.remove({ account, user: email })).removed, true);
    assert.equal((await admin.account.show({ id: account })).members.length, 1);
    await assert.rejects(admin.member.remove({ account, user: id }), missing);
    await assert.rejects(admin.member.setRole({ account, user: id, role: 'OWNER' }), missing);
  });

  it('refuse what is wrong or unknown', async () => {
    const { account, user } = await createOwner();
    const { add, setRole, setAllowance } = admin.member;
    await assert.rejects(add({ account, user, role: 'ADMIN' }), {
      ...wrong('user'),
      message: /"member set-role" or "member set-allowance"/,
    });
    await assert.rejects(setRole({ account, user, role: 'owner' as never }), wrong('role'));
    await assert.rejects(add({ account, user: 'usr_none', role: 'ADMIN' }), missing);
    await assert.rejects(add({ account: 'acc_none', user, role: 'ADMIN' }), missing);
    await assert.rejects(setAllowance({ account, user } as never), wrong('allowance'));
    for (const allowance of ['-1', '1.5', 'many', '', '1e3', '1000000001']) {
      await assert.rejects(setAllowance({ account, user, allowance }), wrong('allowance'));
    }
  });
});

describe('key commands', () => {
  it('create, list and revoke keys', async () => {
    const { account, user } = await createOwner();
    const limited = { permissions: 'scans:read, credits:read', budget: '400', expires: '30d', name: 'CI' };
    const { key, ...created } = await admin.key.create({ account, user, ...limited });
    assert.deepEqual(created.permissions, ['credits:read', 'scans:read']);
    assert.deepEqual([created.budget, created.name], [400, 'CI']);
    assert.ok(created.expiresAt && created.expiresAt.getTime() > Date.now() + 29 * 86_400_000);
    assert.deepEqual(await admin.key.list({ account }), { keys: [created] });

    const { revokedAt } = await admin.key.revoke({ id: created.id });
    assert.ok(revokedAt);
    assert.deepEqual((await admin.key.revoke({ id: created.id })).revokedAt, revokedAt);
    assert.equal((await admin.key.revoke({ id: key.reveal() })).id, created.id);
    assert.deepEqual((await actionsOf(account)).slice(0, 2), ['key.revoked', 'key.created']);
  });

  it('take an instant as expiry', async () => {
    const { account, user } = await createOwner();
    for (const [expires, instant] of Object.entries({
      '2100-01-31': '2100-01-31T00:00:00.000Z',
      '2100-01-31T12:00:00+02:00': '2100-01-31T10:00:00.000Z',
    })) {
      const { expiresAt } = await admin.key.create({ account, user, permissions: 'all', expires });
      assert.equal(expiresAt?.toISOString(), instant);
    }
  });

  it('refuse unknown permissions, past expiries, and people who are not members', async () => {
    const { account, user } = await createOwner();
    const { id: stranger } = await createUser();
    const on = { account, user, permissions: 'all' };
    for (const permissions of ['', 'everything', 'scans:read,', 'all,scans:read', 'scans:delete']) {
      await assert.rejects(admin.key.create({ ...on, permissions }), wrong('permissions'));
    }
    for (const expires of ['2020-01-01', 'tomorrow', '0d', '2100-13-01', '2100-01-01T00:00:00']) {
      await assert.rejects(admin.key.create({ ...on, expires }), wrong('expires'));
    }
    await assert.rejects(admin.key.create({ ...on, budget: '-5' }), wrong('budget'));
    await assert.rejects(admin.key.create({ ...on, user: stranger }), missing);
    await assert.rejects(admin.key.list({ account: 'acc_none' }), missing);
    await assert.rejects(admin.key.revoke({ id: 'none' }), missing);
  });
});

describe('credits commands', () => {
  it('move the balance, and say so in the audit log', async () => {
    const { id: account } = await createAccount();
    await admin.credits.grant({ account, source: 'plan', amount: '300', expires: '30d' });
    await admin.credits.grant({ account, source: 'purchased', amount: '100' });
    const taken = await admin.credits.adjust({ account, amount: '-350', reason: 'duplicate' });
    assert.equal(taken.credits, -350);
    assert.deepEqual([taken.balance.plan, taken.balance.purchased], [0, 50]);
    const given = { amount: '+10', reason: 'goodwill', source: 'plan', expires: '2100-01-01' } as const;
    const { balance } = await admin.credits.adjust({ account, ...given });
    assert.deepEqual(balance.nextExpiry, { credits: 10, at: '2100-01-01T00:00:00.000Z' });
    const { entries } = await admin.audit.list({ account, limit: '2' });
    assert.deepEqual(
      entries.map(({ action, details }) => [action, details]),
      [
        ['credits.adjusted', { amount: 10, reason: 'goodwill', source: 'plan', expiresAt: '2100-01-01T00:00:00.000Z' }],
        ['credits.adjusted', { amount: -350, reason: 'duplicate' }],
      ],
    );
  });

  it('are done once with an operation key, whatever became of the expiry since', async () => {
    const { id: account } = await createAccount();
    const purchase = { account, source: 'purchased', amount: '100', operationKey: 'invoice-7' } as const;
    const first = await admin.credits.grant(purchase);
    assert.deepEqual(await admin.credits.grant(purchase), first);
    assert.deepEqual(await admin.credits.grant({ ...purchase, expires: '2020-01-01' }), first);
    const correction = { account, amount: '-60', reason: 'duplicate', operationKey: 'invoice-7' };
    const taken = await admin.credits.adjust(correction);
    assert.equal(taken.balance.available, 40);
    assert.deepEqual(await admin.credits.adjust(correction), taken);
    const repeated = await admin.credits.grant(purchase);
    assert.deepEqual([repeated.id, repeated.credits, repeated.balance.available], [first.id, 100, 40]);
    assert.deepEqual(await actionsOf(account), ['credits.adjusted', 'credits.granted', 'account.created']);
    const { id: other } = await createAccount();
    assert.notEqual((await admin.credits.grant({ ...purchase, account: other })).id, first.id);
  });

  it('refuse an operation key that was used otherwise, or has characters nobody sees', async () => {
    const { id: account } = await createAccount();
    const purchase = { account, source: 'purchased', amount: '100', operationKey: 'x'.repeat(100) } as const;
    await admin.credits.grant(purchase);
    await assert.rejects(admin.credits.grant({ ...purchase, amount: '101' }), wrong('operationKey'));
    for (const operationKey of ['', ' ', 'a b', 'a\n', 'a\0', 'x'.repeat(101)]) {
      await assert.rejects(admin.credits.grant({ ...purchase, operationKey }), wrong('operationKey'));
      const correction = { account, amount: '5', reason: 'x', operationKey };
      await assert.rejects(admin.credits.adjust(correction), wrong('operationKey'));
    }
    assert.equal((await admin.account.show({ id: account })).balance.available, 100);
  });

  it('refuse amounts and sources that make no sense, and change nothing', async () => {
    const { id: account } = await createAccount();
    const { grant, adjust } = admin.credits;
    for (const amount of ['0', '-5', '1.5', 'ten', '', '99999999999']) {
      await assert.rejects(grant({ account, source: 'purchased', amount }), wrong('amount'));
    }
    await assert.rejects(grant({ account, source: 'plan', amount: '5', expires: '2020-01-01' }), wrong('expires'));
    await assert.rejects(grant({ account, source: 'gift' as never, amount: '5' }), wrong('source'));
    await assert.rejects(grant({ account: 'acc_none', source: 'plan', amount: '5' }), missing);
    await assert.rejects(adjust({ account, amount: '5' } as never), wrong('reason'));
    await assert.rejects(adjust({ account, amount: '0', reason: 'x' }), wrong('amount'));
    await assert.rejects(adjust({ account, amount: '-1', reason: 'x' }), { code: 'INSUFFICIENT_CREDITS' });
    await assert.rejects(adjust({ account, amount: '-1', reason: 'x', source: 'plan' }), wrong('source'));
    await assert.rejects(adjust({ account, amount: '-1', reason: 'x', expires: '5d' }), wrong('expires'));
    assert.equal((await admin.account.show({ id: account })).balance.available, 0);
    assert.deepEqual(await actionsOf(account), ['account.created']);
  });
});

describe('audit commands', () => {
  it('list the newest entries, up to the limit', async () => {
    const { account } = await createOwner();
    const { entries } = await admin.audit.list({ account, limit: '1' });
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['member.added'],
    );
    assert.ok((await admin.audit.list({})).entries.length > 2);
    for (const limit of ['0', '1001', 'all']) await assert.rejects(admin.audit.list({ limit }), wrong('limit'));
    await assert.rejects(admin.audit.list({ account: 'acc_none' }), missing);
  });
});

describe('clock commands', () => {
  it('move the service clock by seconds, minutes, hours and days', async () => {
    for (const duration of ['125s', '5m', '24h', '30d']) await admin.clock.advance({ duration });
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from clock_shift)::float8 as seconds from service`.execute(test.database.queries);
    const seconds = 125 + 300 + 86_400 + 30 * 86_400;
    assert.deepEqual(rows, [{ seconds }]);
    const { now } = await admin.clock.advance({ duration: '1s' });
    assert.ok(Math.abs(now.getTime() - Date.now() - (seconds + 1) * 1_000) < 60_000);
    for (const duration of ['5', '-5m', '0s', '1w', '99999d']) {
      await assert.rejects(admin.clock.advance({ duration }), wrong('duration'));
    }
    const { entries } = await admin.audit.list({ limit: '1' });
    assert.deepEqual([entries[0]?.action, entries[0]?.details], ['clock.advanced', { seconds: 1 }]);
  });

  it('stop before timestamps need a fifth digit of year', async () => {
    await sql`update service set clock_shift = interval '6950 years'`.execute(test.database.queries);
    await assert.rejects(admin.clock.advance({ duration: '36500d' }), wrong('duration'));
    await sql`update service set clock_shift = interval '0'`.execute(test.database.queries);
  });

  it('are refused in the environment live', async () => {
    const live = await createTestDatabase();
    await sql`update service set environment = 'live'`.execute(live.database.queries);
    const operator = openAdmin({ connection: live.connection, catalogue: defaultCatalogue });
    await assert.rejects(operator.clock.advance({ duration: '5m' }), { code: 'FORBIDDEN' });
    await operator.close();
    await live.drop();
  });
});
