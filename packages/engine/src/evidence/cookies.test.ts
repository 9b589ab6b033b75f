import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toArtifacts } from '../check.ts';
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

  for (const name of 'JSESSIONID PHPSESSID ASP.NET_SessionId connect.sid laravel_session sid auth token jwt'.split(
    ' ',
  )) {
    it(`are taken for a session when named ${name}`, () => {
      assert.deepEqual(
        read(`${name}=1`, `__Host-${name}=1`).map(({ isSession }) => isSession),
        [true, true],
      );
    });
  }

  for (const name of 'heroku-session-affinity AWSALBCORS __cf_bm cf_clearance _ga_session XSRF-TOKEN csrf_session'.split(
    ' ',
  )) {
    it(`are not taken for a session when named ${name}`, () => {
      assert.deepEqual(
        read(`${name}=1`).map(({ isSession }) => isSession),
        [false],
      );
    });
  }
});
