import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { createLoginSites, json, type Seen } from '@sortie/testing/targets/login-site.ts';
import { graphqlSite } from '@sortie/testing/targets/logins/graphql.ts';
import { TOKEN } from '@sortie/testing/targets/logins/kit.ts';
import { createRedactor } from '../../http/record/redactor.ts';
import { createTestScope } from '../../target/scope.ts';
import { createSession, type Session, type Showing } from './session.ts';
import { areTokens, withToken } from './token-argument.ts';

const { attempt, start, opened, closeAll } = createLoginSites();
afterEach(closeAll);

const query = 'mutation add($authToken: String!, $to: String!) { addParcel(authToken: $authToken, to: $to) }';
const write = (url: string, variables: Record<string, unknown>) => ({
  method: 'POST',
  url: `${url}/graphql`,
  headers: [['Content-Type', 'application/json']] as const,
  body: JSON.stringify({ query, variables }),
});
const argumentIn = (seen: Seen | undefined) => JSON.parse(seen?.text ?? '{}').variables?.authToken;

describe('a token that GraphQL operations take as an argument', () => {
  async function loggedIn() {
    const { result, server, seen, redactor, tools } = await attempt(graphqlSite({ argument: 'authToken' }));
    assert.ok('proof' in result, JSON.stringify(result));
    const send = async (session: Session, authToken: unknown, showing?: Showing) => {
      const { response } = await session.send(write(server.url, { authToken, to: 'Anna' }), showing);
      return { text: response?.body.toString() ?? '', sent: argumentIn(seen.at(-1)) };
    };
    return { session: result.session, send, redactor, tools, origin: new URL(server.url).origin };
  }

  it('is sent with a write after the login, and masked', async () => {
    const { session, send, redactor } = await loggedIn();
    assert.deepEqual(await send(session, 'test'), { text: '{"data":{"addParcel":"added Anna"}}', sent: TOKEN });
    assert.equal(redactor.redact(TOKEN), '[redacted]');
  });

  it('replaces neither a payload, nor what a cross-site request has', async () => {
    const { session, send } = await loggedIn();
    assert.equal((await send(session, "test' OR 1=1")).sent, "test' OR 1=1");
    assert.equal((await send(session, 'test', { isCrossSite: true })).sent, 'test');
  });

  it('is never sent by an anonymous visitor or by another account, although the recorded request has it', async () => {
    const { session, send, tools, origin } = await loggedIn();
    const identity = { origin, headers: [], query: [] };
    const [byCookie, bob] = [1, 2].map(() => createSession({ ...tools, name: 'bob', identity }));
    assert.ok(bob && byCookie);
    bob.attach({ headers: [], argument: { token: 'token-of-bob' } });
    const newVisitor = createSession({ ...tools, name: null });
    assert.equal((await send(session, TOKEN)).sent, TOKEN);
    for (const visitor of [tools.visitor, newVisitor, byCookie]) assert.equal((await send(visitor, TOKEN)).sent, '');
    assert.equal((await send(bob, TOKEN)).sent, 'token-of-bob');
    assert.equal((await send(session, TOKEN, { isCrossSite: true })).sent, '');
  });

  it('is known from the storage and the requests of the pages of an account', async () => {
    const { send, tools, origin } = await loggedIn();
    const carol = createSession({ ...tools, name: 'carol', identity: { origin, headers: [], query: [] } });
    carol.keepStorage({ origin, local: { authToken: 'stored-token-of-carol' }, session: {} });
    await carol.load(write(origin, { authToken: 'renewed-token-of-carol', to: 'Anna' }), origin);
    for (const token of ['stored-token-of-carol', 'renewed-token-of-carol']) {
      assert.equal((await send(carol, token)).sent, token);
      assert.equal((await send(tools.visitor, token)).sent, '');
    }
  });

  it('of a guest stays in the requests of its pages', async () => {
    const { send, tools, origin } = await loggedIn();
    const guest = 'eyJhbGciOiJIUzI1NiJ9.e30.guest';
    assert.equal((await send(tools.visitor, guest)).sent, '');
    await tools.visitor.load(write(origin, { authToken: guest, to: 'Anna' }), origin);
    assert.equal((await send(tools.visitor, guest)).sent, guest);
  });

  it('replaces no payload of the same length', async () => {
    const { session, send } = await loggedIn();
    const payload = `'${'x'.repeat(TOKEN.length - 1)}`;
    assert.equal((await send(session, payload)).sent, payload);
  });

  it('is altered like every other credential', async () => {
    const { session, send } = await loggedIn();
    assert.equal((await send(session, 'test', { change: () => 'forged' })).sent, 'forged');
  });

  it('goes to no other origin', async () => {
    const [one, other] = [await start(() => json({})), await start(() => json({}))];
    const scope = createTestScope({ coveredName: '127.0.0.1', coveredOrigin: null, excludedPaths: [], tokenUrls: [] });
    const sender = testSender({ scope });
    opened.push(sender);
    const identity = { origin: new URL(one.server.url).origin, headers: [], query: [] };
    const session = createSession({ sender, scope, redactor: createRedactor(), name: 'alice', identity });
    session.attach({ headers: [], argument: { token: TOKEN } });
    for (const { server } of [one, other]) await session.send(write(server.url, { authToken: 'test', to: 'Anna' }));
    assert.deepEqual([one, other].map(({ seen }) => argumentIn(seen[0])), [TOKEN, 'test']); // biome-ignore format: short
  });

  it('proves nothing where the API only repeats it', async () => {
    const { code } = await attempt((seen) => {
      const inner = graphqlSite({ argument: 'authToken' })(seen);
      const { query: asked = '' } = JSON.parse(seen.text || '{}');
      return asked.includes('me(') ? json({ data: { me: { mail: argumentIn(seen) } } }) : inner;
    });
    assert.equal(code, 'NOT_PROVED');
  });
});

describe('the body with a token', () => {
  const filled = (value: unknown, token = TOKEN) => withToken(JSON.stringify(value), { token });

  it('has it in nested variables and in each operation of a batch, and is otherwise the same', () => {
    const operation = (token: string) => ({ query: 'q', variables: { auth: { token }, note: 'test' } });
    assert.equal(filled([operation('test'), operation('')]), JSON.stringify([operation(TOKEN), operation(TOKEN)]));
  });

  it('has it in place of a token from before the run', () => {
    const body = (jwt: string) => ({ query: 'q', variables: { jwt } });
    assert.equal(filled(body('eyJhbGciOiJIUzI1NiJ9.e30.x')), JSON.stringify(body(TOKEN)));
  });

  it('stays as it is where the operation would use the token up, or takes one of another kind', () => {
    const calling = (field: string) => ({
      query: `mutation($token: String!) { ${field}(token: $token) }`,
      variables: { token: 'test' },
    });
    for (const field of [
      'revokeToken',
      'verifyEmail',
      'confirmReset',
      'logout',
      'reset_password',
      'redeem',
      'deleteAccount',
    ])
      assert.equal(filled(calling(field)), JSON.stringify(calling(field)), field);
    const batch = (token: string) => [calling('logout'), { ...calling('addParcel'), variables: { token } }];
    assert.equal(filled(batch('test')), JSON.stringify(batch(TOKEN)));
    const read = (token: string) => ({
      query: 'query($token: String!) { confirmedOrders(token: $token) }',
      variables: { token },
    });
    assert.equal(filled(read('test')), JSON.stringify(read(TOKEN)));
  });

  it('stays as it is outside GraphQL', () => {
    for (const body of ['{"variables":{"token":"test"}}', 'token=test', undefined])
      assert.equal(withToken(body, { token: TOKEN }), body);
  });

  it('goes by the name of the argument', () => {
    for (const name of ['token', 'authToken', 'auth_token', 'jwt', 'accessToken', 'sessionId', '/variables/in/token'])
      assert.ok(areTokens([name]), name);
    for (const name of ['csrfToken', 'resetToken', 'pageToken', 'pushToken', 'refreshToken', 'author', 'to'])
      assert.ok(!areTokens([name]), name);
    assert.ok(areTokens(['knock'], 'knock'));
  });
});
