import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditLogEntry, ManagedMember } from '@sortie/contract';
import { createPeople, type People, type Person, signUp } from '@sortie/testing/dashboard/people.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
before(async () => {
  world = await createWorld();
  people = await createPeople(world);
});
after(() => world.end());

const post = (person: Person, path: string, body?: unknown) =>
  person.call(`/api/accounts/${people.accountId}${path}`, {
    method: 'POST',
    ...(body === undefined ? { headers: { 'content-length': 0 } } : { body }),
  });
const audit = async (query = '') => {
  const { body, text } = await people.OWNER.call(`/api/accounts/${people.accountId}/audit${query}`);
  return (body?.entries as AuditLogEntry[]) ?? assert.fail(text);
};

describe('the members of an account', () => {
  it('are listed with role, allowance and use', async () => {
    const { body } = await people.VIEWER.call(`/api/accounts/${people.accountId}/members`);
    const members = body?.members as ManagedMember[];
    assert.deepEqual(members.map(({ role }) => role).sort(), ['ADMIN', 'MEMBER', 'OWNER', 'VIEWER']);
    assert.ok(members.every(({ allowance, usedThisMonth }) => allowance === null && usedThisMonth === 0));
  });

  it('get another role or allowance, which the audit log tells', async () => {
    const role = await post(people.ADMIN, `/members/${people.VIEWER.userId}/role`, { role: 'MEMBER' });
    assert.equal(role.body?.role, 'MEMBER', role.text);
    const capped = await post(people.ADMIN, `/members/${people.VIEWER.userId}/allowance`, { allowance: 700 });
    assert.equal((capped.body as ManagedMember | undefined)?.allowance?.limit, 700, capped.text);
    await post(people.ADMIN, `/members/${people.VIEWER.userId}/role`, { role: 'VIEWER' });
    const [last, allowance] = await audit('?action=member.&limit=2');
    assert.deepEqual([last?.action, allowance?.action], ['member.role-set', 'member.allowance-set']);
    assert.deepEqual(last?.actor, { kind: 'member', userId: people.ADMIN.userId, name: 'Ada' });
    assert.deepEqual(last?.details, { from: 'MEMBER', to: 'VIEWER' });
  });

  it('who are owners are changed by owners only, and nobody else makes one', async () => {
    const { userId } = people.OWNER;
    for (const [path, body] of [
      [`/members/${userId}/role`, { role: 'VIEWER' }],
      [`/members/${userId}/allowance`, { allowance: 0 }],
      [`/members/${userId}/remove`, undefined],
      [`/members/${people.ADMIN.userId}/role`, { role: 'OWNER' }],
    ] as const) {
      assertRefusedInDashboard(await post(people.ADMIN, path, body), 'FORBIDDEN');
    }
  });

  it('always include an owner', async () => {
    const { userId } = people.OWNER;
    assertRefusedInDashboard(
      await post(people.OWNER, `/members/${userId}/role`, { role: 'ADMIN' }),
      'VALIDATION_ERROR',
    );
    assertRefusedInDashboard(await post(people.OWNER, `/members/${userId}/remove`), 'VALIDATION_ERROR');
  });

  it('leave, or are removed, and have no access from then on', async () => {
    const leaving = await signUp(world, 'leaving');
    await world.admin.member.add({ account: people.accountId, user: leaving.userId, role: 'MEMBER' });
    assertRefusedInDashboard(await post(leaving, `/members/${people.VIEWER.userId}/remove`), 'FORBIDDEN');
    assert.equal((await post(leaving, `/members/${leaving.userId}/remove`)).status, 200);
    assertRefusedInDashboard(await leaving.call(`/api/accounts/${people.accountId}/members`), 'NOT_FOUND');
    await world.admin.member.add({ account: people.accountId, user: leaving.userId, role: 'MEMBER' });
    assert.equal((await post(people.ADMIN, `/members/${leaving.userId}/remove`)).status, 200);
    assertRefusedInDashboard(await leaving.call(`/api/accounts/${people.accountId}/members`), 'NOT_FOUND');
  });
});

describe('the audit log', () => {
  it('has pages, and can be filtered by actor and time', async () => {
    await post(people.OWNER, '/name', { name: 'Acme Ltd' });
    const all = await audit('?limit=100');
    assert.deepEqual(await audit('?limit=1&offset=1'), all.slice(1, 2));
    assert.deepEqual(await audit('?limit=100&order=oldest'), all.toReversed());
    const own = await audit(`?actor=${people.OWNER.userId}`);
    assert.deepEqual(
      own.map(({ action }) => action),
      ['account.renamed'],
    );
    assert.deepEqual(await audit('?to=2020-01-01'), []);
    assert.ok(all.some(({ actor }) => actor.kind === 'operator'));
  });
});

describe('an organization', () => {
  it('belongs to the person who creates it, up to five of them, however fast they are asked for', async () => {
    const person = await signUp(world, 'founder');
    const create = (name: string) => person.call('/api/organizations', { method: 'POST', body: { name } });
    const answers = await Promise.all(Array.from({ length: 7 }, (_, number) => create(`Org ${number}`)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 403, 403]);
    const { body } = await person.call('/api/me');
    const accounts = body?.accounts as { kind: string; role: string; plan: string }[];
    assert.equal(
      accounts.filter(({ kind, role, plan }) => kind === 'organization' && role === 'OWNER' && plan === 'free').length,
      5,
    );
    assert.deepEqual(body?.allows, { createOrganization: false });
  });

  it('is not handed over repeatedly to create more of them', async () => {
    const person = await signUp(world, 'farmer');
    const create = () => person.call('/api/organizations', { method: 'POST', body: { name: 'Farm' } });
    for (let created = 0; created < 10; created++) {
      const { status, body, text } = await create();
      assert.equal(status, 201, text);
      const { rowCount } = await world.testDatabase.database.pool.query(
        'update member set user_id = $1 where account_id = $2',
        [people.STRANGER.userId, body?.id],
      );
      assert.equal(rowCount, 1);
    }
    assertRefusedInDashboard(await create(), 'RATE_LIMITED');
  });

  it('needs a name', async () => {
    const answer = await people.STRANGER.call('/api/organizations', { method: 'POST', body: { name: '  ' } });
    assertRefusedInDashboard(answer, 'VALIDATION_ERROR');
  });
});
