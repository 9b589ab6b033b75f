import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { defaultCatalogue } from '../catalogue.ts';
import { type Admin, openAdmin } from './admin.ts';

describe('target commands', () => {
  let test: TestDatabase;
  let admin: Admin;
  let account: string;
  const url = 'https://shop.example.com/login';
  before(async () => {
    test = await createTestDatabase();
    admin = openAdmin({ connection: test.connection, catalogue: defaultCatalogue });
    account = (await admin.account.create({ name: 'Acme', kind: 'organization' })).id;
  });
  after(async () => {
    await admin.close();
    await test.drop();
  });

  const wrong = (field: string) => ({ name: 'AppError', code: 'VALIDATION_ERROR', field });
  const missing = { name: 'AppError', code: 'NOT_FOUND' };

  it('add a target whose verification is pending, and vouch for it', async () => {
    const added = await admin.target.add({ account, url });
    assert.match(added.id, /^tgt_/);
    assert.match(added.verificationId, /^ver_/);
    assert.deepEqual([added.origin, added.verifiedAt, added.apiRuns], ['https://shop.example.com', null, false]);
    const attested = await admin.target.attest({ account, url });
    assert.deepEqual([attested.id, attested.verificationId], [added.id, added.verificationId]);
    assert.ok(attested.expiresAt && attested.expiresAt.getTime() > Date.now() + 89 * 86_400_000);
    await assert.rejects(admin.target.add({ account, url }), wrong('url'));
    assert.deepEqual(await admin.target.list({ account }), { targets: [{ ...attested, assignedTo: [] }] });
  });

  it('vouch for a target that was not added before', async () => {
    const { verificationId } = await admin.target.attest({ account, url: 'http://192.0.2.7:8080' });
    assert.equal(
      (await admin.target.attest({ account, url: 'http://192.0.2.7:8080/' })).verificationId,
      verificationId,
    );
  });

  it('turn API runs on and off, and assign a member, all by verification id', async () => {
    const { id, verificationId } = await admin.target.attest({ account, url });
    assert.equal((await admin.target.apiRuns({ id: verificationId, state: 'on' })).apiRuns, true);
    assert.equal((await admin.target.apiRuns({ id: verificationId, state: 'off' })).apiRuns, false);
    const { id: user, email } = await admin.user.create({ email: 'Mia@example.com' });
    await assert.rejects(admin.target.assign({ id: verificationId, user }), missing);
    await admin.member.add({ account, user, role: 'MEMBER' });
    const assignment = { id, verificationId, accountId: account, userId: user };
    assert.deepEqual(await admin.target.assign({ id: verificationId, user: email }), { ...assignment, assigned: true });
    assert.deepEqual((await admin.target.list({ account })).targets[0]?.assignedTo, [user]);
    assert.deepEqual(await admin.target.unassign({ id: verificationId, user }), { ...assignment, assigned: false });
    const { entries } = await admin.audit.list({ account, limit: '5' });
    assert.deepEqual(
      entries.map(({ actor, action, subject }) => [actor, action, subject]),
      [
        ['operator', 'target.unassigned', id],
        ['operator', 'target.assigned', id],
        ['operator', 'member.added', user],
        ['operator', 'target.api-runs-set', id],
        ['operator', 'target.api-runs-set', id],
      ],
    );
  });

  it('refuse what is missing, wrong or unknown', async () => {
    const { add, attest, list, apiRuns, assign, unassign } = admin.target;
    for (const command of [add, attest]) {
      await assert.rejects(command({ account } as never), wrong('url'));
      await assert.rejects(command({ url } as never), wrong('account'));
      await assert.rejects(command({ account: 'acc_none', url }), missing);
      for (const bad of [
        '',
        'shop.example.com',
        'ftp://a.com',
        'https://a@b.com',
        `https://a.com/${'a'.repeat(2_048)}`,
      ]) {
        await assert.rejects(command({ account, url: bad }), wrong('url'));
      }
    }
    await assert.rejects(list({ account: 'acc_none' }), missing);
    await assert.rejects(list({} as never), wrong('account'));
    const { id: targetId, verificationId: id } = await attest({ account, url });
    await assert.rejects(apiRuns({ id, state: 'yes' as never }), wrong('state'));
    await assert.rejects(apiRuns({ id: targetId, state: 'on' }), missing);
    const { id: user } = await admin.user.create({ email: 'nobody@example.com' });
    for (const command of [assign, unassign]) {
      await assert.rejects(command({ id } as never), wrong('user'));
      await assert.rejects(command({ id, user: 'usr_none' }), missing);
      await assert.rejects(command({ id: 'ver_none', user }), missing);
    }
  });
});
