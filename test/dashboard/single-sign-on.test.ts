import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { totpCode } from '@sortie/testing/http/totp.ts';
import { assertRefusedInDashboard, createVisitor, type Visitor } from '@sortie/testing/http/visitor.ts';
import { startHostedServer } from '@sortie/testing/server/hosted-server.ts';
import type { TestServer } from '@sortie/testing/server/server.ts';
import { type OidcProvider, startOidcProvider } from '@sortie/testing/targets/oidc-provider.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let provider: OidcProvider;
/** Another server of the same service, which creates no users and has no domains. */
let strict: TestServer;
before(async () => {
  provider = await startOidcProvider();
  const env = {
    SORTIE_OIDC_ISSUER: provider.issuer,
    SORTIE_OIDC_CLIENT_ID: provider.clientId,
    SORTIE_OIDC_CLIENT_SECRET: provider.clientSecret,
    SORTIE_OIDC_LABEL: 'Acme login',
  };
  world = await createWorld({ env: { ...env, SORTIE_OIDC_DOMAINS: 'example.com', SORTIE_OIDC_CREATES_USERS: 'yes' } });
  strict = await startHostedServer({ databaseUrl: world.testDatabase.url, flags: ['--no-demo'], env });
  use(world.server);
});
after(async () => {
  await strict.stop();
  await world.end();
  await provider.close();
});
beforeEach(async () => {
  provider.faults = {};
  provider.knownFor = 0;
  await use(world.server);
  await world.testDatabase.database.pool.query('delete from identity."rateLimit"');
});

/** The public address is that of the server which started last; tests of both use one after the other. */
const use = ({ baseUrl }: { baseUrl: string }) =>
  world.testDatabase.database.pool.query('update service set public_url = $1', [baseUrl]);
const visit = () => createVisitor(world.server.baseUrl);
const start = (visitor: Visitor, body: object = {}) => visitor.call('/api/auth/oidc/start', { method: 'POST', body });

/** Signs in at the provider as this person, and resolves with where that leads. */
async function signOn(visitor: Visitor, person: object, body: object = {}): Promise<string> {
  provider.person = { email_verified: true, ...person };
  const started = await start(visitor, body);
  assert.equal(started.status, 200, started.text);
  const callback = new URL(await provider.signIn(String(started.body?.url)));
  const { status, headers, text } = await visitor.call(callback.pathname + callback.search);
  assert.equal(status, 302, text);
  return String(headers.location);
}
const me = async (visitor: Visitor) =>
  (await visitor.call('/api/me')).body?.user as { id: string; email: string } | undefined;
const problem = (name: string) => `/sign-in?problem=${name}`;

describe('single sign-on', () => {
  it('gives a new person a user with a personal account, and later a session of that user', async () => {
    const [first, later] = [visit(), visit()];
    assert.equal(
      await signOn(first, { sub: '1', email: 'Ada@example.com', name: 'Ada' }, { to: '/device?x=1#y' }),
      '/device?x=1#y',
    );
    const { id, email } = (await me(first)) ?? assert.fail();
    assert.equal(email, 'ada@example.com');
    // The id of the person decides, not the address, which may change.
    assert.equal(await signOn(later, { sub: '1', email: 'ada.new@example.com' }), '/');
    assert.deepEqual(await me(later), { ...(await me(first)), id });
    const { body } = await first.call('/api/me');
    assert.equal((body?.accounts as object[] | undefined)?.length, 1);
    const { rows } = await world.testDatabase.database.pool.query(
      `select action from audit_entry where subject = $1 and action like 'user.%' order by id`,
      [id],
    );
    const actions = rows.map(({ action }) => action);
    assert.deepEqual(actions, ['user.created', 'user.sign-on-connected', 'user.signed-in', 'user.signed-in']);
  });

  it('replaces the session that the browser had', async () => {
    const visitor = visit();
    await visitor.signUp('before@example.com');
    const cookie = visitor.cookie();
    await signOn(visitor, { sub: 'replaces', email: 'replaces@example.com' });
    assert.equal((await me(visitor))?.email, 'replaces@example.com');
    assertRefusedInDashboard(await visit().call('/api/me', { headers: { cookie } }), 'UNAUTHORIZED');
  });

  it('needs an address that the provider has verified, of an allowed domain', async () => {
    for (const [claims, expected] of [
      [{ email: 'new@example.com', email_verified: false }, 'email'],
      [{ email: 'new@example.com', email_verified: undefined }, 'email'],
      [{ email: undefined }, 'email'],
      [{ email: 'new@evil.example' }, 'domain'],
      [{ email: 'new@example.com.evil.example' }, 'domain'],
      [{ email: 'new@evil.example@example.com' }, 'email'],
    ] as const) {
      const visitor = visit();
      assert.equal(await signOn(visitor, { sub: 'odd', ...claims }), problem(expected), JSON.stringify(claims));
      assert.equal(await me(visitor), undefined);
    }
  });

  it('reads the address from the userinfo endpoint where the token has none, of the same person only', async () => {
    provider.faults = { userinfoOnly: true };
    const visitor = visit();
    assert.equal(await signOn(visitor, { sub: 'info', email: 'info@example.com' }), '/');
    provider.faults = { userinfoOnly: true, otherPerson: true };
    assert.equal(await signOn(visit(), { sub: 'info', email: 'info@example.com' }), problem('provider'));
  });

  it('creates no user where the operator does not want that', async () => {
    await use(strict);
    const visitor = createVisitor(strict.baseUrl);
    assert.equal(await signOn(visitor, { sub: 'nobody', email: 'nobody@example.com' }), problem('unknown'));
    assert.equal(await me(visitor), undefined);
    const other = createVisitor(strict.baseUrl);
    await world.admin.user.create({ email: 'known@other.example' });
    assert.equal(await signOn(other, { sub: 'known', email: 'known@other.example' }), '/');
  });

  it('is told to pages by its label', async () => {
    assert.deepEqual((await visit().call('/api/service')).body?.singleSignOn, { label: 'Acme login' });
  });
});

describe('a user who exists already', () => {
  const connect = (visitor: Visitor, person: object) => signOn(visitor, person, { to: '/settings', connect: true });

  it('is connected by a verified address, and never by one that only the sign-up knows', async () => {
    await world.admin.user.create({ email: 'operator-made@example.com' });
    assert.equal(await signOn(visit(), { sub: 'made', email: 'operator-made@example.com' }), '/');
    await visit().signUp('squatted@example.com');
    const victim = visit();
    assert.equal(await signOn(victim, { sub: 'victim', email: 'squatted@example.com' }), problem('connect'));
    assert.equal(await me(victim), undefined);
  });

  it('with a second factor connects while signed in, and then signs in by it', async () => {
    const ada = visit();
    const email = 'factor@example.com';
    await ada.signUp(email);
    const post = (path: string, body: object) => ada.call(`/api/auth/two-factor/${path}`, { method: 'POST', body });
    const uri = String((await post('enable', { password: 'a password of the tests' })).body?.totpURI);
    assert.equal((await post('verify-totp', { code: totpCode(uri) })).status, 200);
    await world.testDatabase.database.pool.query(`update identity."user" set "emailVerified" = true where email = $1`, [
      email,
    ]);
    const person = { sub: 'factor', email };
    assert.equal(await signOn(visit(), person), problem('connect'));
    assert.equal(await connect(ada, person), '/settings');
    const later = visit();
    assert.equal(await signOn(later, person), '/');
    assert.equal((await me(later))?.email, email);
    assert.deepEqual((await ada.call('/api/sign-on')).body, { isConnected: true });
    const end = { method: 'POST', headers: { 'content-length': 0 } };
    assert.deepEqual((await ada.call('/api/sign-on/disconnect', end)).body, { isConnected: false });
    assert.equal(await signOn(visit(), person), problem('connect'));
  });

  it('is connected to its own address only, by itself, with a sign-in of the last 15 minutes', async () => {
    const [ada, eve] = [visit(), visit()];
    await ada.signUp('own@example.com');
    await eve.signUp('eve@example.com');
    const person = { sub: 'own', email: 'own@example.com' };
    assert.equal(await connect(eve, person), '/settings?problem=other-person');
    assert.equal(await connect(ada, person), '/settings');
    await world.testDatabase.database.pool.query(
      `update identity."user" set email = 'moved@example.com' where email = $1`,
      ['own@example.com'],
    );
    assert.equal(await connect(eve, person), '/settings?problem=taken');
    assertRefusedInDashboard(await start(visit(), { connect: true }), 'UNAUTHORIZED');
    await world.testDatabase.database.pool.query(
      `update identity.session set "createdAt" = now() - interval '901 seconds'`,
    );
    const old = await start(ada, { connect: true });
    assertRefusedInDashboard(old, 'FORBIDDEN');
    assert.equal(old.body?.field, 'session');
  });

  it('is not given to another person who has the same address later', async () => {
    const email = 'reassigned@example.com';
    await signOn(visit(), { sub: 'former owner', email });
    const later = visit();
    assert.equal(await signOn(later, { sub: 'next owner', email }), problem('connect'));
    assert.equal(await me(later), undefined);
    assert.equal(await signOn(visit(), { sub: 'former owner', email }), '/');
  });

  it('that was disconnected is connected again only by the person who has signed in', async () => {
    const ada = visit();
    const person = { sub: 'gone', email: 'gone@example.com' };
    await ada.signUp(person.email);
    const end = { method: 'POST', headers: { 'content-length': 0 } };
    for (let round = 0; round < 2; round++) {
      assert.equal(await connect(ada, person), '/settings');
      assert.equal(await signOn(visit(), person), '/');
      assert.deepEqual((await ada.call('/api/sign-on/disconnect', end)).body, { isConnected: false });
      assert.equal(await signOn(visit(), person), problem('connect'));
    }
  });

  it('that has no other way to sign in stays connected', async () => {
    const visitor = visit();
    await signOn(visitor, { sub: 'only', email: 'only@example.com' });
    const end = { method: 'POST', headers: { 'content-length': 0 } };
    assertRefusedInDashboard(await visitor.call('/api/sign-on/disconnect', end), 'VALIDATION_ERROR');
  });
});

describe('a session by single sign-on', () => {
  const HOUR = 3_600;
  const person = { sub: 'fresh', email: 'fresh@example.com' };
  const without = (name: string) => (claims: object) =>
    Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));
  async function createKey(visitor: Visitor) {
    const { body, text } = await visitor.call('/api/me');
    const [account] = (body?.accounts ?? assert.fail(text)) as { id: string }[];
    const key = { name: 'CI', permissions: ['scans:read'] };
    return visitor.call(`/api/accounts/${account?.id}/keys`, { method: 'POST', body: key });
  }
  const register = (visitor: Visitor) => visitor.call('/api/auth/passkey/generate-register-options');
  async function assertFresh(visitor: Visitor, isFresh: boolean) {
    for (const act of [createKey, register]) {
      const answer = await act(visitor);
      if (isFresh) assert.ok([200, 201].includes(answer.status), answer.text);
      else assertRefusedInDashboard(answer, 'FORBIDDEN');
    }
  }

  it('is fresh for 15 minutes after the person has signed in at the provider, not after the provider knew them', async () => {
    for (const [knownFor, isFresh] of [
      [0, true],
      [800, true],
      [905, false],
      [HOUR, false],
    ] as const) {
      provider.knownFor = knownFor;
      const visitor = visit();
      assert.equal(await signOn(visitor, person), '/');
      assert.equal(provider.asked.get('prompt'), null);
      await assertFresh(visitor, isFresh);
    }
  });

  it('becomes fresh by a sign-in with which the provider asks the person again', async () => {
    provider.knownFor = HOUR;
    const visitor = visit();
    await signOn(visitor, person);
    await assertFresh(visitor, false);
    assert.equal(await signOn(visitor, person, { to: '/settings/keys' }), '/settings/keys');
    assert.deepEqual([provider.asked.get('prompt'), provider.asked.get('max_age')], ['login', '900']);
    await assertFresh(visitor, true);
  });

  it('stays as it is if the provider does not ask again, or does not say when', async () => {
    provider.knownFor = HOUR;
    const visitor = visit();
    await signOn(visitor, person);
    const now = Math.floor(Date.now() / 1_000);
    const set = (auth_time: unknown) => (claims: object) => ({ ...claims, auth_time });
    for (const faults of [
      { ignoresPrompt: true },
      { claims: without('auth_time') },
      { claims: set(String(now)) },
      { claims: set(now + 900) },
      { claims: set(-1) },
    ]) {
      provider.faults = faults;
      const before = visitor.cookie();
      const to = '/settings/keys';
      assert.equal(await signOn(visitor, person, { to }), `${problem('not-fresh')}&to=${encodeURIComponent(to)}`);
      assert.equal(visitor.cookie(), before);
      await assertFresh(visitor, false);
    }
    assert.match(world.server.log(), /auth_time of the last 15 minutes/);
  });

  it('is not fresh if the provider never says when the person signed in, also not by its userinfo endpoint', async () => {
    const visitor = visit();
    provider.faults = { claims: without('auth_time'), userinfoOnly: true };
    assert.equal(await signOn(visitor, { ...person, auth_time: Math.floor(Date.now() / 1_000) }), '/');
    await assertFresh(visitor, false);
  });
});

describe('an answer of the provider', () => {
  const person = { sub: 'answers', email: 'answers@example.com' };
  const callbackOf = async (visitor: Visitor) => {
    provider.person = { ...person, email_verified: true };
    const callback = new URL(await provider.signIn(String((await start(visitor)).body?.url)));
    return callback.pathname + callback.search;
  };
  const finish = async (visitor: Visitor, path: string) => (await visitor.call(path)).headers.location;

  it('works in the browser that asked, once', async () => {
    const [ada, eve] = [visit(), visit()];
    const path = await callbackOf(ada);
    assert.equal(await finish(eve, path), problem('expired'), 'signing another person in is refused');
    await callbackOf(eve);
    assert.equal(await finish(eve, path), problem('expired'), 'also with a sign-in under way');
    assert.equal(await finish(ada, path), '/');
    assert.equal(await finish(ada, path), problem('expired'));
  });

  it('is refused with a changed state or cookie, without a code, and of another issuer', async () => {
    for (const change of [
      (path: string) => path.replace(/state=\w/, (found) => `${found}x`),
      (path: string) => path.replace(/code=[^&]+/, 'error=access_denied'),
      (path: string) => path.replace(/iss=[^&]+/, 'iss=http%3A%2F%2Fevil.example'),
      (path: string) => path.replace(/code=[^&]+/, 'code=another'),
    ]) {
      const visitor = visit();
      const path = change(await callbackOf(visitor));
      assert.match(String(await finish(visitor, path)), /^\/sign-in\?problem=(?:expired|provider)$/, path);
      assert.equal(await me(visitor), undefined);
    }
  });

  it('is refused with an ID token that is not signed by the provider, for this client, this sign-in and now', async () => {
    const now = Math.floor(Date.now() / 1_000);
    for (const fault of [
      { signature: 'other key' as const },
      { signature: 'none' as const },
      ...[
        { nonce: 'another' },
        { nonce: undefined },
        { aud: 'another' },
        { aud: ['sortie', 'another'] },
        { azp: 'another' },
        { iss: 'http://evil.example' },
        { exp: now - 120 },
        { sub: '' },
      ].map((changed) => ({ claims: (claims: object) => ({ ...claims, ...changed }) })),
    ]) {
      provider.faults = fault;
      const visitor = visit();
      assert.equal(await signOn(visitor, person), problem('provider'), JSON.stringify(fault));
      assert.equal(await me(visitor), undefined);
    }
  });

  it('leads only to pages of this service', async () => {
    for (const to of [
      '//evil.example',
      '/\\evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      'https://evil.example',
      '/\t/evil.example',
      '/api/auth/sign-out',
    ]) {
      assert.equal(await signOn(visit(), person, { to }), '/', to);
    }
  });

  it('leaves neither tokens nor the secret of the client in the database or the log', async () => {
    await signOn(visit(), person);
    const { rows } = await world.testDatabase.database.pool.query(
      `select row_to_json(a)::text as row from identity.account a where "providerId" = 'oidc'`,
    );
    assert.ok(rows.length > 0);
    for (const { row } of rows) {
      const { accessToken, refreshToken, idToken, password } = JSON.parse(row);
      assert.deepEqual([accessToken, refreshToken, idToken, password], [null, null, null, null]);
    }
    assert.ok(!(world.server.log() + strict.log()).includes(provider.clientSecret));
  });

  it('is not asked for by a page of another site or at another address', async () => {
    const foreign = await visit().call('/api/auth/oidc/start', {
      method: 'POST',
      body: {},
      headers: { origin: 'http://evil.example' },
    });
    assertRefusedInDashboard(foreign, 'FORBIDDEN');
    await world.testDatabase.database.pool.query(`update service set public_url = 'https://sortie.example'`);
    assertRefusedInDashboard(await start(visit()), 'VALIDATION_ERROR');
  });
});
