import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createAuthenticator } from '@sortie/testing/http/authenticator.ts';
import { nextTotpCode, totpCode } from '@sortie/testing/http/totp.ts';
import { assertRefusedInDashboard, createVisitor, PASSWORD, type Visitor } from '@sortie/testing/http/visitor.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
/** Passkeys need a name. */
let origin: string;
before(async () => {
  world = await createWorld();
  origin = world.server.baseUrl.replace('127.0.0.1', 'localhost');
});
after(() => world.end());

const visit = () => createVisitor(origin);
const post = (visitor: Visitor, path: string, body: unknown) =>
  visitor.call(`/api/auth${path}`, { method: 'POST', body });

async function signUp(email: string) {
  const visitor = visit();
  assert.equal((await visitor.signUp(email)).status, 200);
  return visitor;
}

/** The library lets an address try three codes in ten seconds; each test starts without that history. */
const forgetAttempts = () => world.testDatabase.database.pool.query('delete from identity."rateLimit"');

async function turnOn(visitor: Visitor) {
  await forgetAttempts();
  const { body, text } = await post(visitor, '/two-factor/enable', { password: PASSWORD });
  const uri = String(body?.totpURI ?? assert.fail(text));
  const code = totpCode(uri);
  assert.equal((await post(visitor, '/two-factor/verify-totp', { code })).status, 200);
  return { uri, code, backupCodes: body?.backupCodes as string[] };
}

const actionsOf = async (email: string) => {
  const { rows } = await world.testDatabase.database.pool.query(
    `select action from audit_entry where subject = (select id from identity."user" where email = $1) order by id`,
    [email],
  );
  return rows.map(({ action }) => action);
};

describe('a user with a second factor', () => {
  it('has no session until the code was entered', async () => {
    const { uri } = await turnOn(await signUp('codes@example.com'));
    const visitor = visit();
    const first = await visitor.signIn('codes@example.com');
    assert.deepEqual([first.status, first.body?.twoFactorRedirect], [200, true]);
    assertRefusedInDashboard(await visitor.call('/api/me'), 'UNAUTHORIZED');
    const wrong = await post(visitor, '/two-factor/verify-totp', { code: '000000' });
    assertRefusedInDashboard(wrong, 'VALIDATION_ERROR');
    assert.equal(wrong.body?.field, 'code');
    assert.equal((await post(visitor, '/two-factor/verify-totp', { code: nextTotpCode(uri) })).status, 200);
    assert.equal((await visitor.call('/api/me')).status, 200);
    const actions = await actionsOf('codes@example.com');
    assert.ok(actions.includes('user.second-factor-on') && actions.includes('user.signed-in'), actions.join());
  });

  it('ends the session that the browser had, also before the code was entered', async () => {
    await turnOn(await signUp('replaces@example.com'));
    const visitor = await signUp('had-a-session@example.com');
    const cookie = visitor.cookie();
    assert.equal((await visitor.signIn('replaces@example.com')).body?.twoFactorRedirect, true);
    assertRefusedInDashboard(await visit().call('/api/me', { headers: { cookie } }), 'UNAUTHORIZED');
  });

  it('uses each code once, also on two nodes at once', async () => {
    const { uri, code: first } = await turnOn(await signUp('replay@example.com'));
    const other = await world.addServer();
    const visitors = [origin, other.baseUrl, origin].map((baseUrl) => createVisitor(baseUrl));
    for (const visitor of visitors) await visitor.signIn('replay@example.com');
    await forgetAttempts();
    const enter = (code: string) =>
      Promise.all(visitors.map((visitor) => post(visitor, '/two-factor/verify-totp', { code })));
    // The code that turned the second factor on counts, too.
    for (const answer of await enter(first)) assertRefusedInDashboard(answer, 'UNAUTHORIZED');
    for (const visitor of visitors) await visitor.signIn('replay@example.com');
    await forgetAttempts();
    const statuses = (await enter(nextTotpCode(uri))).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 401, 401]);
    const signedIn = await Promise.all(visitors.map(async (visitor) => (await visitor.call('/api/me')).status));
    assert.deepEqual(signedIn.toSorted(), [200, 401, 401]);
  });

  it('signs in with a backup code, once', async () => {
    const { backupCodes } = await turnOn(await signUp('backup@example.com'));
    assert.equal(backupCodes.length, 10);
    const enter = async (code = '') => {
      const visitor = visit();
      await visitor.signIn('backup@example.com');
      return post(visitor, '/two-factor/verify-backup-code', { code });
    };
    assert.equal((await enter(backupCodes[0])).status, 200);
    assertRefusedInDashboard(await enter(backupCodes[0]), 'VALIDATION_ERROR');
  });

  it('is asked for a code in every browser, also in one that was used before', async () => {
    const { uri } = await turnOn(await signUp('trusted@example.com'));
    const visitor = visit();
    await visitor.signIn('trusted@example.com');
    const code = nextTotpCode(uri);
    const refused = await post(visitor, '/two-factor/verify-totp', { code, trustDevice: true });
    assertRefusedInDashboard(refused, 'VALIDATION_ERROR');
    assert.equal((await post(visitor, '/two-factor/verify-totp', { code })).status, 200);
    assert.equal((await visitor.signIn('trusted@example.com')).body?.twoFactorRedirect, true);
  });

  it('gets no more than five tries for one password', async () => {
    const { uri } = await turnOn(await signUp('tries@example.com'));
    const visitor = visit();
    await visitor.signIn('tries@example.com');
    for (let tries = 0; tries < 5; tries++) {
      await forgetAttempts();
      assert.equal((await post(visitor, '/two-factor/verify-totp', { code: '000000' })).status, 400);
    }
    await forgetAttempts();
    const refused = await post(visitor, '/two-factor/verify-totp', { code: totpCode(uri) });
    assertRefusedInDashboard(refused, 'UNAUTHORIZED');
    assert.match(refused.text, /Sign in again/);
  });

  it('gets no more tries with a session, whose answers would tell the code of a sign-in', async () => {
    const visitor = await signUp('tries-inside@example.com');
    const { uri } = await turnOn(visitor);
    const statuses: number[] = [];
    for (let tries = 0; tries < 9; tries++) {
      await forgetAttempts();
      statuses.push((await post(visitor, '/two-factor/verify-totp', { code: '000000' })).status);
    }
    assert.ok(statuses.includes(400), statuses.join());
    await forgetAttempts();
    assertRefusedInDashboard(
      await post(visitor, '/two-factor/verify-totp', { code: nextTotpCode(uri) }),
      'RATE_LIMITED',
    );
  });

  it('cannot be signed in by a link alone', async () => {
    await turnOn(await signUp('by-link@example.com'));
    const { link } = await world.admin.user.link({ user: 'by-link@example.com' });
    const set = { token: new URL(link).hash.slice(1), newPassword: PASSWORD };
    assert.equal((await post(visit(), '/reset-password', set)).status, 200);
    const signedIn = await visit().signIn('by-link@example.com');
    assert.equal(signedIn.body?.twoFactorRedirect, true);
  });

  it('has secrets that are encrypted in the database', async () => {
    const { uri, backupCodes } = await turnOn(await signUp('sealed@example.com'));
    const { rows } = await world.testDatabase.database.pool.query(
      'select row_to_json(f)::text as row from identity."twoFactor" f',
    );
    const stored = rows.map(({ row }) => row).join('\n');
    assert.ok(stored.length > 100);
    assert.ok(![uri.split('secret=')[1]?.split('&')[0] ?? '-', ...backupCodes].some((each) => stored.includes(each)));
  });
});

describe('a passkey', () => {
  const challengeOf = async (visitor: Visitor, kind: 'register' | 'authenticate') =>
    (await visitor.call(`/api/auth/passkey/generate-${kind}-options`)).body?.challenge;

  async function register(visitor: Visitor, options: { isPersonVerified?: boolean } = {}) {
    const authenticator = createAuthenticator({ origin, ...options });
    const response = authenticator.register(await challengeOf(visitor, 'register'));
    return { authenticator, answer: await post(visitor, '/passkey/verify-registration', { response, name: 'Laptop' }) };
  }

  it('signs in without password and code', async () => {
    const ada = await signUp('passkey@example.com');
    await turnOn(ada);
    const { authenticator, answer } = await register(ada);
    assert.equal(answer.status, 200, answer.text);
    const visitor = visit();
    const response = authenticator.signIn(await challengeOf(visitor, 'authenticate'));
    const signedIn = await post(visitor, '/passkey/verify-authentication', { response });
    assert.equal(signedIn.status, 200, signedIn.text);
    const { body } = await visitor.call('/api/me');
    assert.equal((body?.user as { email: string } | undefined)?.email, 'passkey@example.com');
    const again = await post(visit(), '/passkey/verify-authentication', { response });
    assertRefusedInDashboard(again, 'VALIDATION_ERROR');
  });

  it('of a person who signed up with the address of another one ends when that one sets a password', async () => {
    const squatter = await signUp('squatted@example.com');
    const { authenticator, answer } = await register(squatter);
    assert.equal(answer.status, 200, answer.text);
    const reset = async () => {
      const { link } = await world.admin.user.link({ user: 'squatted@example.com' });
      const set = { token: new URL(link).hash.slice(1), newPassword: PASSWORD };
      assert.equal((await post(visit(), '/reset-password', set)).status, 200);
    };
    await reset();
    const visitor = visit();
    const response = authenticator.signIn(await challengeOf(visitor, 'authenticate'));
    assertRefusedInDashboard(await post(visitor, '/passkey/verify-authentication', { response }), 'UNAUTHORIZED');
    assert.ok((await actionsOf('squatted@example.com')).includes('user.passkey-removed'));
    // From then on, the passkeys are of the person who reads the mails.
    await visitor.signIn('squatted@example.com');
    const own = await register(visitor);
    await reset();
    const later = visit();
    const signedIn = own.authenticator.signIn(await challengeOf(later, 'authenticate'));
    assert.equal((await post(later, '/passkey/verify-authentication', { response: signedIn })).status, 200);
  });

  it('is refused unless the device has verified the person', async () => {
    const { answer } = await register(await signUp('unverified@example.com'), { isPersonVerified: false });
    assertRefusedInDashboard(answer, 'UNAUTHORIZED');
    assert.match(answer.text, /fingerprint/);
  });

  it('is not added or removed by a session of more than 15 minutes', async () => {
    const ada = await signUp('old@example.com');
    await world.testDatabase.database.pool.query(
      `update identity.session set "createdAt" = now() - interval '16 minutes'
        where "userId" = (select id from identity."user" where email = 'old@example.com')`,
    );
    for (const answer of [
      await ada.call('/api/auth/passkey/generate-register-options'),
      await post(ada, '/passkey/delete-passkey', { id: 'unknown' }),
      await post(ada, '/two-factor/enable', { password: PASSWORD }),
    ]) {
      assertRefusedInDashboard(answer, 'FORBIDDEN');
      assert.equal(answer.body?.field, 'session');
    }
  });
});

describe('the sessions of a person', () => {
  const list = async (visitor: Visitor) =>
    (await visitor.call('/api/sessions')).body?.sessions as { id: string; isCurrent: boolean }[];

  it('are listed, and ended one by one or all but the current one', async () => {
    const [one, two, three] = [await signUp('sessions@example.com'), visit(), visit()];
    for (const each of [two, three]) await each.signIn('sessions@example.com');
    const sessions = await list(one);
    assert.deepEqual(
      sessions.map(({ isCurrent }) => isCurrent),
      [true, false, false],
    );
    const stranger = await signUp('stranger@example.com');
    const end = (visitor: Visitor, id: string) =>
      visitor.call(`/api/sessions/${id}/end`, { method: 'POST', headers: { 'content-length': 0 } });
    assertRefusedInDashboard(await end(stranger, sessions[0]?.id ?? ''), 'NOT_FOUND');
    assert.deepEqual((await end(one, (await list(three))[0]?.id ?? '')).body, { ended: 1 });
    assertRefusedInDashboard(await three.call('/api/me'), 'UNAUTHORIZED');
    assert.equal((await end(one, 'end-others')).status, 404);
    const others = await one.call('/api/sessions/end-others', { method: 'POST', headers: { 'content-length': 0 } });
    assert.deepEqual(others.body, { ended: 1 });
    assertRefusedInDashboard(await two.call('/api/me'), 'UNAUTHORIZED');
    assert.equal((await one.call('/api/me')).status, 200);
    assert.equal((await stranger.call('/api/me')).status, 200);
  });
});
