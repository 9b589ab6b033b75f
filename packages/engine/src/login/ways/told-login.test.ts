import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { account, createLoginSites, json } from '@sortie/testing/targets/login-site.ts';
import { readBody, TOKEN } from '@sortie/testing/targets/logins/kit.ts';
import { readInstructions } from '../find/instructions.ts';
import { toldLogins } from './told-login.ts';

const { attempt, closeAll } = createLoginSites();
afterEach(closeAll);

it('a GraphQL document of the instructions keeps its own variables, and may be a query', () => {
  const queryOf = (text: string) => {
    const url = 'http://shop.test/graphql';
    return toldLogins(readInstructions(`POST /graphql ${text}`), [url], url)[0]?.query;
  };
  assert.equal(
    queryOf('mutation { enter(name: "{user}", pass: "{pass}") { token } }'),
    'mutation ($user: String!, $pass: String!) { enter(name: $user, pass: $pass) { token } }',
  );
  assert.equal(
    queryOf('mutation In($user: Login!, $size: Int = 3) { enter(name: {user}, pass: "{pass}", n: $size) { token } }'),
    'mutation In($user: Login!, $size: Int = 3, $pass: String!) { enter(name: $user, pass: $pass, n: $size) { token } }',
  );
  assert.equal(
    queryOf('query { login(name: "{user}", pass: "{pass}") }'),
    'query ($user: String!, $pass: String!) { login(name: $user, pass: $pass) }',
  );
});

it('the CSRF header goes with the one-time code, too', async () => {
  const { result } = await attempt(
    (seen) => {
      const { path, method, headers, cookie } = seen;
      if (path !== '/api/login' || method !== 'POST') {
        const isIn = headers.authorization === `Bearer ${TOKEN}`;
        return {
          ...json(isIn ? { mail: account.user } : { detail: 'No' }, isIn ? 200 : 401),
          headers: { 'Set-Cookie': 'XSRF-TOKEN=d0uble; Path=/' },
        };
      }
      if (!cookie.includes('XSRF-TOKEN=d0uble') || headers['x-xsrf-token'] !== 'd0uble')
        return json({ error: 'CSRF' }, 403);
      const { username, password, otp } = readBody(seen);
      if (username !== account.user || password !== account.pass) return json({ error: 'Wrong password' }, 401);
      return /^\d{6}$/.test(String(otp)) ? json({ token: TOKEN }) : json({ message: 'otp required', need: 'otp' }, 401);
    },
    {
      mode: 'json',
      totpSecret: 'JBSWY3DPEHPK3PXP',
      instructions: 'POST /api/login {"username": "{user}", "password": "{pass}"}',
    },
  );
  assert.ok('proof' in result, JSON.stringify(result));
});
