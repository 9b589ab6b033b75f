import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { AuditLogEntry, ManagedInvitation, Role } from '@sortie/contract';
import { createPeople, type People, type Person } from '@sortie/testing/dashboard/people.ts';
import { assertRefusedInDashboard, createVisitor, PASSWORD, type Visitor } from '@sortie/testing/http/visitor.ts';
import { startHostedServer } from '@sortie/testing/server/hosted-server.ts';
import type { TestServer } from '@sortie/testing/server/server.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let people: People;
/** Another server of the same service, whose sign-up is by invitation. */
let closed: TestServer;
before(async () => {
  world = await createWorld();
  people = await createPeople(world);
  closed = await startHostedServer({ ...database(), env: { SORTIE_SIGN_UP: 'invitation' } });
});
after(async () => {
  await closed.stop();
  await world.end();
});
const database = () => ({ databaseUrl: world.testDatabase.url, flags: ['--no-demo'] });
/** All tests have one address, which may sign in 60 times a minute. */
beforeEach(() => world.testDatabase.database.pool.query('delete from identity."rateLimit"'));

const tokenIn = (link: unknown) => new URL(String(link)).hash.slice(1);
const visit = () => createVisitor(world.server.baseUrl);
const invite = (by: Person, email: string, role: Role = 'MEMBER') =>
  by.call(`/api/accounts/${people.accountId}/invitations`, { method: 'POST', body: { email, role } });
const openInvitations = async () => {
  const { body, text } = await people.ADMIN.call(`/api/accounts/${people.accountId}/invitations`);
  return (body?.invitations as ManagedInvitation[]) ?? assert.fail(text);
};
async function inviteLink(email: string, role: Role = 'MEMBER', by: Person = people.OWNER) {
  const { status, body, text } = await invite(by, email, role);
  assert.equal(status, 201, text);
  return { token: tokenIn(body?.link), record: body?.record as ManagedInvitation };
}
const post = (visitor: Visitor, path: string, body: object) => visitor.call(path, { method: 'POST', body });
const accept = (visitor: Visitor, token: string) => post(visitor, '/api/invitations/accept', { token });
const read = (token: string) => post(visit(), '/api/invitations/read', { token });
const signUp = (visitor: Visitor, email: string, invitation?: string) =>
  post(visitor, '/api/auth/sign-up/email', { name: 'Guest', email, password: PASSWORD, invitation });
const membersPage = (visitor: Visitor) => visitor.call(`/api/accounts/${people.accountId}/members`);

describe('an invitation', () => {
  it('lets a new person sign up, join with its role, once', async () => {
    const { token } = await inviteLink('New@Example.com', 'VIEWER');
    const shown = await read(token);
    assert.deepEqual([shown.body?.account, shown.body?.email, shown.body?.role], ['Acme', 'new@example.com', 'VIEWER']);
    const guest = createVisitor(closed.baseUrl);
    assert.equal((await signUp(guest, 'new@example.com', token)).status, 200);
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(guest, token)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400]);
    assert.equal((await membersPage(guest)).status, 200);
    const { body = {} } = await guest.call('/api/me');
    const roles = (body.accounts as { kind: string; role: string }[]).map(({ kind, role }) => `${kind} ${role}`);
    assert.deepEqual(roles, ['personal OWNER', 'organization VIEWER']);
    assertRefusedInDashboard(await read(token), 'VALIDATION_ERROR');
  });

  it('lets a user join who is signed in with its address, and no other one', async () => {
    const { token } = await inviteLink('stranger@other.example');
    const answer = await accept(people.STRANGER, token);
    assertRefusedInDashboard(answer, 'FORBIDDEN');
    assert.match(answer.text, /for stranger@other\.example, and you are signed in as stranger-/);
    assertRefusedInDashboard(await membersPage(people.STRANGER), 'NOT_FOUND');
    assertRefusedInDashboard(await accept(visit(), token), 'UNAUTHORIZED');
  });

  it('is listed without its link, and works no more once it was revoked', async () => {
    const { token, record } = await inviteLink('revoked@example.com');
    const listed = (await openInvitations()).find(({ id }) => id === record.id);
    assert.deepEqual([listed?.email, listed?.role, listed?.isExpired], ['revoked@example.com', 'MEMBER', false]);
    assert.ok(!JSON.stringify(await openInvitations()).includes(token));
    const revoke = () =>
      people.ADMIN.call(`/api/accounts/${people.accountId}/invitations/${record.id}/revoke`, {
        method: 'POST',
        headers: { 'content-length': 0 },
      });
    assert.equal((await revoke()).status, 200);
    assertRefusedInDashboard(await revoke(), 'NOT_FOUND');
    assertRefusedInDashboard(await signUp(createVisitor(closed.baseUrl), 'revoked@example.com', token), 'FORBIDDEN');
    assertRefusedInDashboard(await read(token), 'VALIDATION_ERROR');
  });

  it('is replaced by another one of the same address', async () => {
    const { token } = await inviteLink('twice@example.com', 'ADMIN');
    await inviteLink('twice@example.com', 'VIEWER');
    assertRefusedInDashboard(await read(token), 'VALIDATION_ERROR');
    assert.deepEqual(
      (await openInvitations()).filter(({ email }) => email === 'twice@example.com').map(({ role }) => role),
      ['VIEWER'],
    );
  });

  it('expires after seven days', async () => {
    const { token, record } = await inviteLink('late@example.com');
    const days = (Date.parse(record.expiresAt) - Date.parse(record.createdAt)) / 86_400_000;
    assert.equal(Math.round(days), 7);
    await world.testDatabase.database.pool.query(
      `update invitation set expires_at = now() - interval '1 second' where id = $1`,
      [record.id],
    );
    assertRefusedInDashboard(await read(token), 'VALIDATION_ERROR');
    assert.equal((await openInvitations()).find(({ id }) => id === record.id)?.isExpired, true);
  });

  it('ends with the right of its sender to invite', async () => {
    const { token } = await inviteLink('orphan@example.com', 'ADMIN', people.ADMIN);
    const setRole = (role: Role) =>
      post(people.OWNER, `/api/accounts/${people.accountId}/members/${people.ADMIN.userId}/role`, { role });
    assert.equal((await setRole('VIEWER')).status, 200);
    assertRefusedInDashboard(await read(token), 'VALIDATION_ERROR');
    assert.equal((await setRole('ADMIN')).status, 200);
    assert.equal((await read(token)).status, 200);
  });

  it('of an owner is for owners to send and to revoke', async () => {
    assertRefusedInDashboard(await invite(people.ADMIN, 'owner@example.com', 'OWNER'), 'FORBIDDEN');
    const { record } = await inviteLink('owner@example.com', 'OWNER');
    const path = `/api/accounts/${people.accountId}/invitations/${record.id}/revoke`;
    const options = { method: 'POST', headers: { 'content-length': 0 } };
    assertRefusedInDashboard(await people.ADMIN.call(path, options), 'FORBIDDEN');
    assert.equal((await people.OWNER.call(path, options)).status, 200);
  });

  it('is refused for a member, for a personal account, and beyond fifty', async () => {
    const { body = {} } = await people.OWNER.call('/api/me');
    const own = body.user as { email: string };
    assertRefusedInDashboard(await invite(people.OWNER, own.email.toUpperCase()), 'VALIDATION_ERROR');
    const personal = (body.accounts as { id: string; kind: string }[]).find(({ kind }) => kind === 'personal')?.id;
    const path = `/api/accounts/${personal}/invitations`;
    assertRefusedInDashboard(
      await post(people.OWNER, path, { email: 'a@example.com', role: 'OWNER' }),
      'VALIDATION_ERROR',
    );
    const missing = 50 - (await openInvitations()).filter(({ isExpired }) => !isExpired).length;
    for (let number = 0; number < missing; number++) await inviteLink(`many-${number}@example.com`);
    assertRefusedInDashboard(await invite(people.OWNER, 'more@example.com'), 'PLAN_LIMIT_EXCEEDED');
    await world.testDatabase.database.pool.query(`delete from invitation where email like 'many-%'`);
  });

  it('is in the audit log without the address, and its token is stored nowhere', async () => {
    const { token, record } = await inviteLink('audited@example.com');
    const { body = {} } = await people.OWNER.call(`/api/accounts/${people.accountId}/audit?action=invitation.`);
    const [entry] = body.entries as AuditLogEntry[];
    assert.deepEqual([entry?.action, entry?.subject], ['invitation.created', record.id]);
    assert.doesNotMatch(JSON.stringify(entry), /audited/);
    const { rows } = await world.testDatabase.database.pool.query(
      'select row_to_json(i)::text as row from invitation i',
    );
    assert.ok(!`${rows.map(({ row }) => row).join()}${world.server.log()}`.includes(token));
  });
});

describe('a sign-up while it is by invitation', () => {
  it('is refused without an invitation, and says what to do', async () => {
    const { token } = await inviteLink('invited@example.com');
    for (const [email, invitation] of [
      ['uninvited@example.com', undefined],
      ['uninvited@example.com', token],
      ['invited@example.com', 'unknown'],
    ] as const) {
      const guest = createVisitor(closed.baseUrl);
      const answer = await signUp(guest, email, invitation);
      assertRefusedInDashboard(answer, 'FORBIDDEN');
      assert.match(answer.text, /by invitation.*Ask an owner of an organization/);
      assert.equal(guest.cookie(), '');
    }
  });

  it('is told to pages', async () => {
    assert.deepEqual((await createVisitor(closed.baseUrl).call('/api/service')).body, {
      environment: 'test',
      signUp: 'invitation',
      singleSignOn: null,
      demoTarget: null,
      sendsMail: false,
    });
  });
});
