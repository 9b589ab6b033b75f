import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
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

  it('add other methods to a target, each with what is to be put where', async () => {
    const { id } = await admin.target.attest({ account, url });
    const byDns = await admin.target.add({ account, url, method: 'dns', name: 'example.com' });
    const byFile = await admin.target.add({ account, url, method: 'file' });
    assert.deepEqual([byDns.id, byFile.id], [id, id]);
    assert.deepEqual([byDns.coveredName, byDns.coveredOrigin], ['example.com', null]);
    assert.equal(byDns.proof, `TXT record of example.com: sortie-verification=${byDns.token}`);
    const { targets } = await admin.target.list({ account });
    const listed = targets.filter((target) => target.id === id).map(({ method, token }) => [method, token]);
    assert.deepEqual(listed, [
      ['attestation', null],
      ['dns', byDns.token],
      ['file', byFile.token],
    ]);
    await assert.rejects(admin.target.add({ account, url, method: 'mail' as never }), wrong('method'));
    await assert.rejects(admin.target.add({ account, url: 'https://a.com', name: 'a.com' }), wrong('name'));
    await assert.rejects(admin.target.add({ account, url, method: 'meta', name: '' }), wrong('name'));
  });

  it('list no checks of a target that was never checked, and check no attestation', async () => {
    const { verificationId: id } = await admin.target.attest({ account, url });
    assert.deepEqual(await admin.target.checks({ id }), { checks: [] });
    await assert.rejects(admin.target.verify({ id }), { ...wrong('id'), message: /target attest --account/ });
    await assert.rejects(admin.target.verify({ id: 'ver_none' }), missing);
    await assert.rejects(admin.target.checks({ id: 'ver_none' }), missing);
    for (const wait of ['soon', '-1', '601']) await assert.rejects(admin.target.verify({ id, wait }), wrong('wait'));
  });

  it('show and change the rules of engagement', async () => {
    const { id: targetId, verificationId: id } = await admin.target.attest({ account, url });
    const rulesNow = async () => (await admin.target.rules({ id })).rules;
    const none = { excludedPaths: [], requestsPerSecond: null, window: null, emergencyContact: null };
    const shown = { id: targetId, verificationId: id, accountId: account, origin: 'https://shop.example.com' };
    assert.deepEqual(await admin.target.rules({ id }), { ...shown, rules: none, windowLeftMs: null });
    const exclude = ['/admin', '/a%20b', '/admin'];
    await admin.target.rules({ id, exclude, rate: '50', window: '09:30-08:00', contact: ' Ada ' });
    const rules = {
      excludedPaths: ['/admin', '/a%20b'],
      requestsPerSecond: 50,
      window: { from: '09:30', to: '08:00' },
      emergencyContact: 'Ada',
    };
    assert.deepEqual(await rulesNow(), rules);
    await admin.target.rules({ id, addExclude: ['GET /leave', '/admin'] });
    assert.deepEqual((await rulesNow()).excludedPaths, ['/admin', '/a%20b', 'GET /leave']);
    await admin.target.rules({ id, exclude });
    await admin.target.rules({ id, rate: 'none', contact: 'none' });
    assert.deepEqual(await rulesNow(), { ...rules, requestsPerSecond: null, emergencyContact: null });
    await admin.target.rules({ id, exclude: ['none'], window: 'none' });
    assert.deepEqual(await rulesNow(), none);
    await admin.target.rules({ id, rate: '5' });
    await admin.target.rules({ id, clear: true, contact: 'Ben' });
    assert.deepEqual(await rulesNow(), { ...none, emergencyContact: 'Ben' });
    const { entries } = await admin.audit.list({ account, limit: '1' });
    assert.deepEqual([entries[0]?.action, entries[0]?.subject], ['target.rules-set', targetId]);
    await admin.target.rules({ id, clear: true });
  });

  it('refuse rules that are out of bounds, and change nothing then', async () => {
    const { verificationId: id } = await admin.target.attest({ account, url });
    const { rules } = admin.target;
    const tooMany = Array.from({ length: 51 }, (_, index) => `/${index}`);
    const paths = [
      ['admin'],
      [''],
      ['/a?'],
      ['/a?b?c'],
      ['post /a'],
      ['POST  /a'],
      ['TEAPOT /a'],
      [`/a?${'b'.repeat(201)}`],
      ['/a#b'],
      ['/a b'],
      ['\\a'],
      [`/${'a'.repeat(500)}`],
      ['/a', 'none'],
      tooMany,
    ];
    for (const exclude of paths) await assert.rejects(rules({ id, exclude, rate: '5' }), wrong('exclude'));
    for (const rate of ['0', '51', '-1', '1.5', 'fast', '']) await assert.rejects(rules({ id, rate }), wrong('rate'));
    const windows = ['22:00', '24:00-06:00', '9:00-17:00', '09:00-09:00', '09:00-17:60', '09:00 - 17:00', ''];
    for (const window of windows) await assert.rejects(rules({ id, window }), wrong('window'));
    for (const contact of ['', 'a'.repeat(201), 'a\nb']) await assert.rejects(rules({ id, contact }), wrong('contact'));
    await assert.rejects(rules({ id: 'ver_none' }), missing);
    await assert.rejects(rules({ id: 'ver_none', rate: '5' }), missing);
    assert.equal((await rules({ id })).rules.requestsPerSecond, null);
    const narrow = ['POST /orders', '/index.php?action=logout', 'GET /a?b&c=1'];
    assert.deepEqual((await rules({ id, exclude: narrow })).rules.excludedPaths, narrow);
    const longest = [`/${'a'.repeat(499)}`, ...tooMany.slice(2)];
    assert.equal((await rules({ id, exclude: longest })).rules.excludedPaths.length, 50);
    for (const addExclude of [['/one-more'], ['none'], ['a']])
      await assert.rejects(rules({ id, addExclude }), wrong('addExclude'));
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
