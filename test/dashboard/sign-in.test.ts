import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { call } from '@sortie/testing/http/call.ts';
import { assertRefusedInDashboard, createVisitor, PASSWORD, type Visitor } from '@sortie/testing/http/visitor.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
before(async () => {
  world = await createWorld();
});
after(() => world.end());
/** All tests have one address, which may sign in 60 times a minute. */
beforeEach(() => world.testDatabase.database.pool.query('delete from identity."rateLimit"'));

const visit = () => createVisitor(world.server.baseUrl);
const accountOf = async (email: string) => {
  const row = await world.testDatabase.database.queries
    .selectFrom('member')
    .innerJoin('identity.user as user', 'user.id', 'member.user_id')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select(['account.id', 'account.kind', 'account.plan', 'member.role', 'user.id as userId'])
    .where('user.email', '=', email)
    .execute();
  assert.equal(row.length, 1);
  return row[0] ?? assert.fail();
};
const balance = async (visitor: Visitor, accountId: string) =>
  visitor.call(`/api/accounts/${accountId}/credits/balance`);

describe('a sign-up', () => {
  it('gives a user of ours with a personal account on the plan free', async () => {
    const ada = visit();
    const { status, text } = await ada.signUp('ada@example.com');
    assert.equal(status, 200, text);
    const account = await accountOf('ada@example.com');
    assert.match(account.userId, /^usr_/);
    assert.deepEqual([account.kind, account.plan, account.role], ['personal', 'free', 'OWNER']);
    assert.equal((await balance(ada, account.id)).status, 200);
  });

  it('with an e-mail address that exists changes nothing and signs nobody in', async () => {
    await visit().signUp('twice@example.com');
    const other = visit();
    const answer = await other.signUp('twice@example.com', 'another password');
    assertRefusedInDashboard(answer, 'VALIDATION_ERROR');
    assert.equal(answer.body?.field, 'email');
    assert.equal(other.cookie(), '');
    assert.equal((await visit().signIn('twice@example.com')).status, 200);
  });

  it('refuses a short password', async () => {
    const answer = await visit().signUp('short@example.com', '123456789');
    assertRefusedInDashboard(answer, 'VALIDATION_ERROR');
    assert.equal(answer.body?.message, 'The password is too short. Use at least 10 characters.');
  });

  it('takes a name of one line only, which mails and lists show', async () => {
    for (const name of ['', '  ', 'two\nlines', '\u001b[31mred', 'a\0b', 'x'.repeat(201), 7, undefined]) {
      const email = 'unnamed@example.com';
      const body = { name, email, password: PASSWORD };
      const answer = await visit().call('/api/auth/sign-up/email', { method: 'POST', body });
      assertRefusedInDashboard(answer, 'VALIDATION_ERROR');
      assert.equal(answer.body?.field, 'name', answer.text);
    }
  });

  it('is in the audit log of the new user, also in a browser of another one', async () => {
    const visitor = visit();
    for (const email of ['first@example.com', 'second@example.com']) {
      await visitor.signUp(email);
      const { userId } = await accountOf(email);
      const { rows } = await world.testDatabase.database.pool.query(
        `select subject from audit_entry where action = 'user.signed-up' order by id desc limit 1`,
      );
      assert.deepEqual(rows, [{ subject: userId }]);
    }
  });
});

describe('a sign-in', () => {
  it('is refused alike for a wrong password and an unknown address', async () => {
    await visit().signUp('alike@example.com');
    const wrong = await visit().signIn('alike@example.com', 'not the password');
    const unknown = await visit().signIn('nobody@example.com', 'not the password');
    assertRefusedInDashboard(wrong, 'UNAUTHORIZED');
    assert.equal(wrong.text, unknown.text);
  });

  it('is refused after ten failures, with the right password too, and says for how long', async () => {
    await visit().signUp('locked@example.com');
    for (let failures = 0; failures < 10; failures++) {
      assert.equal((await visit().signIn('Locked@example.com', 'not the password')).status, 401);
    }
    const refused = await visit().signIn('locked@example.com');
    assertRefusedInDashboard(refused, 'RATE_LIMITED');
    assert.ok(Number(refused.headers['retry-after']) > 800);
  });

  it('succeeds in a browser that signed in before, despite failures elsewhere, and is limited there on its own', async () => {
    const ada = visit();
    await ada.signUp('known@example.com');
    await ada.signIn('known@example.com');
    const other = visit();
    await other.signUp('other@example.com');
    await other.signIn('other@example.com');
    for (let failures = 0; failures < 10; failures++) await visit().signIn('known@example.com', 'not the password');
    assertRefusedInDashboard(await visit().signIn('known@example.com'), 'RATE_LIMITED');
    assertRefusedInDashboard(await other.signIn('known@example.com'), 'RATE_LIMITED');
    assert.equal((await ada.signIn('known@example.com')).status, 200);
    for (let failures = 0; failures < 10; failures++) await ada.signIn('known@example.com', 'not the password');
    assertRefusedInDashboard(await ada.signIn('known@example.com'), 'RATE_LIMITED');
  });

  it('is refused after ten failures that are made at once', async () => {
    const attempts = Array.from({ length: 20 }, () => visit().signIn('at-once@example.com', 'not the password'));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    assert.deepEqual(
      [401, 429].map((status) => statuses.filter((each) => each === status).length),
      [10, 10],
    );
  });

  it('that fails with the id of a user in place of an address does not keep the user from changing the password', async () => {
    const ada = visit();
    await ada.signUp('named@example.com');
    const { userId } = await accountOf('named@example.com');
    for (let failures = 0; failures < 11; failures++) await visit().signIn(`user:${userId}`, 'not the password');
    const body = { currentPassword: PASSWORD, newPassword: 'another password' };
    const changed = await ada.call('/api/auth/change-password', { method: 'POST', body });
    assert.equal(changed.status, 200, changed.text);
  });

  it('that succeeds starts the count of failures anew', async () => {
    await visit().signUp('anew@example.com');
    for (let round = 0; round < 2; round++) {
      for (let failures = 0; failures < 6; failures++) await visit().signIn('anew@example.com', 'not the password');
      assert.equal((await visit().signIn('anew@example.com')).status, 200);
    }
  });

  it('gives a session that no other one replaces, and a cookie that scripts cannot read', async () => {
    const ada = visit();
    await ada.signUp('cookie@example.com');
    const { headers, text } = await ada.signIn('cookie@example.com');
    const [cookie = ''] = headers['set-cookie'] ?? [];
    assert.match(cookie, /^sortie\.session_token=/);
    assert.match(cookie, /; HttpOnly/);
    assert.match(cookie, /; SameSite=Lax/);
    const { rows } = await world.testDatabase.database.pool.query('select token from identity.session');
    const stored = rows.map(({ token }) => token);
    const token = decodeURIComponent(/=([^.;]+)/.exec(cookie)?.[1] ?? '');
    assert.ok(token.length >= 32 && stored.length >= 2);
    assert.ok(!stored.includes(token), 'the token itself is not stored');
    const read = await ada.call('/api/auth/get-session');
    assert.match(read.text, /cookie@example\.com/);
    assert.ok(![text, read.text].some((each) => each.includes(token)), 'scripts of the page do not get the token');
  });

  it('ignores a session that the visitor brought along', async () => {
    const visitor = visit();
    await visitor.signUp('fixed@example.com');
    const before = visitor.cookie();
    await visitor.signIn('fixed@example.com');
    assert.notEqual(visitor.cookie(), before);
  });

  it('ends the session that it replaces', async () => {
    const visitor = visit();
    await visitor.signUp('replaced@example.com');
    const { id } = await accountOf('replaced@example.com');
    const cookie = visitor.cookie();
    await visitor.signIn('replaced@example.com');
    const url = `${world.server.baseUrl}/api/accounts/${id}/credits/balance`;
    assertRefusedInDashboard(await call(url, { headers: { cookie } }), 'UNAUTHORIZED');
    assert.equal((await balance(visitor, id)).status, 200);
  });

  it('from a page of another site is refused', async () => {
    await visit().signUp('csrf@example.com');
    const body = { email: 'csrf@example.com', password: PASSWORD };
    for (const headers of [{ origin: 'http://evil.example' }, { origin: 'null' }, {}]) {
      const answer = await call(`${world.server.baseUrl}/api/auth/sign-in/email`, { method: 'POST', headers, body });
      assertRefusedInDashboard(answer, 'FORBIDDEN');
    }
  });
});

describe('a sign-out', () => {
  it('ends the session, also for a kept copy of its cookie', async () => {
    const ada = visit();
    await ada.signUp('out@example.com');
    const { id } = await accountOf('out@example.com');
    const cookie = ada.cookie();
    assert.equal((await ada.call('/api/auth/sign-out', { method: 'POST', body: {} })).status, 200);
    assertRefusedInDashboard(await balance(ada, id), 'UNAUTHORIZED');
    const kept = await call(`${world.server.baseUrl}/api/accounts/${id}/credits/balance`, { headers: { cookie } });
    assertRefusedInDashboard(kept, 'UNAUTHORIZED');
  });
});

describe('a session', () => {
  it('that has ended deletes no cookie when it is read, since a new sign-in may have set the next one', async () => {
    const visitor = visit();
    await visitor.signUp('ended@example.com');
    const cookie = visitor.cookie();
    await visitor.call('/api/auth/sign-out', { method: 'POST', body: {} });
    const read = await visit().call('/api/auth/get-session', { headers: { cookie } });
    assert.deepEqual([read.status, read.text], [200, 'null']);
    assert.equal(read.headers['set-cookie'], undefined);
  });

  it('of a changed cookie is none', async () => {
    const ada = visit();
    await ada.signUp('changed@example.com');
    const { id } = await accountOf('changed@example.com');
    const cookie = ada.cookie().replace(/(?<==[^.]+\.)./, (first) => (first === 'A' ? 'B' : 'A'));
    const answer = await call(`${world.server.baseUrl}/api/accounts/${id}/credits/balance`, { headers: { cookie } });
    assertRefusedInDashboard(answer, 'UNAUTHORIZED');
  });
});

describe('a session of more than 15 minutes', () => {
  it('does not change the password, until the person has signed in again', async () => {
    const ada = visit();
    await ada.signUp('stale@example.com');
    const change = () =>
      ada.call('/api/auth/change-password', {
        method: 'POST',
        body: { currentPassword: PASSWORD, newPassword: 'another password' },
      });
    await world.testDatabase.database.pool.query(
      `update identity.session set "createdAt" = now() - interval '901 seconds'`,
    );
    const refused = await change();
    assertRefusedInDashboard(refused, 'FORBIDDEN');
    assert.deepEqual([refused.body?.field, /Sign in again/.test(refused.text)], ['session', true]);
    await ada.signIn('stale@example.com');
    assert.equal((await change()).status, 200);
    assert.equal((await visit().signIn('stale@example.com', 'another password')).status, 200);
  });
});

describe('in the environment live', () => {
  it('nobody signs up, and the answer says who creates users', async () => {
    const live = await createWorld({ environment: 'live' });
    const answer = await createVisitor(live.server.baseUrl).signUp('ada@example.com');
    await live.end();
    assertRefusedInDashboard(answer, 'FORBIDDEN');
    assert.match(answer.text, /operator of this service/);
  });
});
