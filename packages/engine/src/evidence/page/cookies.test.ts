import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toArtifacts } from '../../passive/define-passive-check.ts';
import { cookiesOf } from './cookies.ts';

const read = (...lines: string[]) => cookiesOf(toArtifacts({ headers: { 'set-cookie': lines } }).mainPage);

describe('the cookies of a page', () => {
  it('are those of every answer that led to it, each with the answer that set it', () => {
    const { mainPage } = toArtifacts({
      before: [{ url: 'http://site.example/', headers: { 'Set-Cookie': ['a=1', 'b=2'] } }],
      headers: { 'set-cookie': 'a=3' },
    });
    assert.deepEqual(
      cookiesOf(mainPage).map(({ name, url }) => `${name} ${url}`),
      ['a http://site.example/', 'b http://site.example/', 'a https://site.example/'],
    );
  });

  it('are read with the last of each attribute, in any letters', () => {
    const [cookie] = read(
      'a=1; Domain=.Site.Example; PATH=/x; path=/y; secure; HttpOnly=yes; samesite=Lax; Max-Age=60',
    );
    assert.deepEqual(cookie, {
      name: 'a',
      url: 'https://site.example/',
      isSecure: true,
      isHttpOnly: true,
      sameSite: 'Lax',
      domain: 'site.example',
      path: '/y',
      lifetimeMs: 60_000,
      isSession: false,
      isCsrf: false,
      jwt: undefined,
    });
  });

  it('are without their values', () => {
    const token = [{ alg: 'HS256' }, { sub: 'somebody' }].map((part) => btoa(JSON.stringify(part)).replace(/=/g, ''));
    const kept = JSON.stringify(read('a=secret-value', `b=${token.join('.')}.signature`));
    for (const secret of ['secret-value', 'somebody', 'signature', token[1] ?? '']) assert.ok(!kept.includes(secret));
    assert.match(kept, /"algorithm":"HS256","expires":false/);
  });

  it('are not those that a browser does not take', () => {
    assert.deepEqual(read('', '=1', `a=${'x'.repeat(5_000)}`, 'a=; Max-Age=0'), []);
  });

  const sessions = `JSESSIONID PHPSESSID ASP.NET_SessionId ASPSESSIONIDQQABCDEF connect.sid koa:sess laravel_session sid auth
    token jwt session sessionid session_id sessionToken user_session SSESS0f3a1b2c3d4e5f60718293a4b5c6d7e8 login_token
    next-auth.session-token .ASPXAUTH .AspNetCore.Cookies .AspNetCore.Session .AspNetCore.Identity.Application
    wordpress_logged_in_0f3a wordpress_sec_0f3a access_token refresh_token auth_token authToken id_token remember_web_59ba
    remember_token KEYCLOAK_IDENTITY KEYCLOAK_IDENTITY_LEGACY CFTOKEN CFID`;
  for (const name of sessions.split(/\s+/)) {
    it(`are taken for a session when named ${name}`, () => {
      assert.deepEqual(
        read(`${name}=1`, `__Host-${name}=1`).map(({ isSession }) => isSession),
        [true, true],
      );
    });
  }

  it('are taken for a session when their value is a JSON Web Token, unless it is there against forged requests', () => {
    const token = [{ alg: 'HS256' }, { sub: '1' }].map((part) => btoa(JSON.stringify(part)).replace(/=/g, ''));
    const [app, csrf] = read(`app=${token.join('.')}.c2ln`, `csrf=${token.join('.')}.c2ln`);
    assert.deepEqual([app?.isSession, csrf?.isSession], [true, false]);
  });

  const others = `heroku-session-affinity AWSALBCORS __cf_bm cf_clearance _ga_session XSRF-TOKEN csrf_session assessment
    possession last_login_method sessionTimeout session_timeout session-expires .AspNetCore.Antiforgery.x8k3
    .AspNetCore.Culture .AspNetCore.Mvc.CookieTempDataProvider wordpress_test_cookie _hjSessionUser_12 ai_session
    login_hint author tokenizer obsession sessions_seen`;
  for (const name of others.split(/\s+/)) {
    it(`are not taken for a session when named ${name}`, () => {
      assert.deepEqual(
        read(`${name}=1`).map(({ isSession }) => isSession),
        [false],
      );
    });
  }
});
