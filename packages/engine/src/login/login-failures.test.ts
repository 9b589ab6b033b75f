import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { account, createLoginSites, json, type Reply, type Seen } from '@sortie/testing/targets/login-site.ts';
import { api, form, object, openApi, PASSWORD } from '@sortie/testing/targets/logins/kit.ts';

const { attempt, closeAll } = createLoginSites();
afterEach(closeAll);

const described = openApi('/api/login', { 'application/json': object(['username', 'password']) });
const withPassword = ({ text }: Seen) => text.includes(account.pass);

describe('a login of an API that fails', () => {
  const cases: [Reply, code: string, reason: RegExp][] = [
    [json({ detail: 'No' }, 401), 'USER_OR_PASSWORD', /Check user and password\. It returned status 401/],
    [json({ detail: 'No' }, 403), 'USER_OR_PASSWORD', /Check user and password\. It returned status 403/],
    [json({ detail: 'gone' }, 404), 'NO_LOGIN', /status 404.*There is no such endpoint\. Give the URL of the login/],
    [json({ detail: 'method' }, 405), 'NO_LOGIN', /status 405.*There is no such endpoint/],
    [json({ detail: 'type' }, 415), 'NO_LOGIN', /status 415.*Write the request in the instructions/],
    [
      json({ detail: 'tenant is required' }, 422),
      'NO_LOGIN',
      /"username" and "password", as the API .*status 422 and "\{"detail":"tenant is required"\}"/,
    ],
    [json({ detail: 'oops' }, 500), 'NO_LOGIN', /status 500.*The target failed on it/],
    [json({ detail: 'CSRF token missing' }, 403), 'NO_LOGIN', /requires a CSRF token that was not found/],
    [json({ detail: 'Slow down' }, 429), 'LOCKED', /too many login attempts/],
    [json({ error: 'Your account is locked' }, 403), 'LOCKED', /Unlock it/],
    [json({ error: 'Unknown user: invalid credentials' }, 404), 'USER_OR_PASSWORD', /Check user and password/],
  ];
  for (const [reply, code, reason] of cases) {
    it(`says what was answered: ${reply.status} ${reply.body}`, async () => {
      const site = api('/api/login', () => reply, { places: described });
      const answer = await attempt(site, { mode: 'json' });
      assert.match(answer.reason ?? '', reason);
      assert.equal(answer.code, code);
      if (code !== 'USER_OR_PASSWORD') assert.doesNotMatch(answer.reason ?? '', /Check user and password/);
      else assert.equal(answer.posts.filter(withPassword).length, 1);
    });
  }
});

describe('a login that is not supported', () => {
  it('leads to another host', async () => {
    for (const site of [
      (): Reply => ({ status: 302, headers: { Location: 'https://login.idp.test/authorize?client_id=1' } }),
      (): Reply => ({ body: '<a href="https://login.idp.test/oauth/authorize">Sign in with IDP</a>' }),
    ]) {
      const { code, reason } = await attempt(site);
      assert.equal(code, 'OUT_OF_SCOPE');
      assert.match(reason ?? '', /https:\/\/login\.idp\.test, which is not covered.*a COOKIE or a BEARER_TOKEN/);
    }
  });

  it('asks for a captcha', async () => {
    const shown = form('/login', `<input name="user">${PASSWORD}<div class="g-recaptcha"></div>`);
    const { code, reason } = await attempt(({ path }) =>
      path === '/login' ? { body: `Please try again ${shown}` } : { body: '<a href="/login">Log in</a>' },
    );
    assert.equal(code, 'CAPTCHA');
    assert.doesNotMatch(reason ?? '', /Check user and password/);
  });

  it('is NTLM, or HTTP Digest of a kind that is not known', async () => {
    const cases: [string, RegExp][] = [
      ['NTLM', /HTTP NTLM authentication, which is not supported\. Allow HTTP Basic/],
      ['Digest realm="x", nonce="y", qop="auth-int"', /HTTP Digest authentication of a kind that is not supported/],
    ];
    for (const [challenge, expected] of cases) {
      const { code, reason } = await attempt(() => ({ status: 401, headers: { 'WWW-Authenticate': challenge } }));
      assert.equal(code, 'NOT_POSSIBLE');
      assert.match(reason ?? '', expected);
    }
  });

  it('is none: nothing takes user and password', async () => {
    const { code, reason } = await attempt(() => ({ body: 'A page' }));
    assert.equal(code, 'NO_LOGIN');
    assert.match(reason ?? '', /No login form was found.*Give the URL of the form in the instructions/);
  });
});

describe('an account of an API whose front page tells nothing', () => {
  const bearer = { kind: 'BEARER_TOKEN' as const, pass: 'a-token-of-an-account-7' };
  const site = (known: string) =>
    api('/none', () => json({}, 404), {
      guard: ({ headers }) => headers.authorization === `Bearer ${known}`,
      places: openApi('/none', {}),
    });

  it('is proved by a described operation that answers differently', async () => {
    const { result } = await attempt(site(bearer.pass), bearer);
    assert.ok('proof' in result, JSON.stringify(result));
    assert.match(result.proof.url, /\/v7\/parcels$/);
  });

  it('is not proved by one that answers the same to a broken token', async () => {
    const anyToken = api('/none', () => json({}, 404), {
      guard: ({ headers }) => headers.authorization !== undefined,
      places: openApi('/none', {}),
    });
    assert.equal((await attempt(anyToken, bearer)).code, 'USER_OR_PASSWORD');
    assert.equal((await attempt(site('another-token'), bearer)).code, 'NOT_PROVED');
  });
});
