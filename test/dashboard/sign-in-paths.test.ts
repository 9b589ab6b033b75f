import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sendRaw } from '@sortie/testing/http/raw-message.ts';
import { createVisitor, PASSWORD } from '@sortie/testing/http/visitor.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
before(async () => {
  world = await createWorld({ env: { SORTIE_SIGN_UP: 'invitation' } });
});
after(() => world.end());

/** Sends the path as it is: clients resolve `..` before they send it. */
async function post(path: string, body: string, type = 'application/json') {
  const { baseUrl } = world.server;
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(baseUrl).host}`,
    `Origin: ${baseUrl}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const { answers } = await sendRaw(baseUrl, [`${head.join('\r\n')}\r\n\r\n${body}`]);
  return answers[0] ?? assert.fail(path);
}

const signUp = (path: string, email: string) => post(path, JSON.stringify({ name: 'Ada', email, password: PASSWORD }));

describe('an endpoint of the sign-in library', () => {
  it('that the dashboard does not use is not offered', async () => {
    const visitor = createVisitor(world.server.baseUrl);
    const { link } = await world.admin.user.create({ email: 'signed-in@other.example' });
    const token = new URL(link).hash.slice(1);
    await visitor.call('/api/auth/reset-password', { method: 'POST', body: { token, newPassword: PASSWORD } });
    assert.equal((await visitor.signIn('signed-in@other.example')).status, 200);
    const posted = [
      // Would compare any number of passwords with that of an open session.
      ['/verify-password', { password: PASSWORD }],
      ['/two-factor/get-totp-uri', { password: PASSWORD }],
      ['/update-user', { name: 'x'.repeat(100_000) }],
      ['/change-email', { newEmail: 'other@other.example' }],
      ['/delete-user', { password: PASSWORD }],
      ['/request-password-reset', { email: 'signed-in@other.example' }],
      ['/send-verification-email', { email: 'signed-in@other.example' }],
      ['/sign-in/social', { provider: 'google' }],
      ['/passkey/update-passkey', { id: 'x', name: 'y' }],
      ['/revoke-sessions', {}],
    ] as const;
    for (const [path, body] of posted) {
      const { status, text } = await visitor.call(`/api/auth${path}`, { method: 'POST', body });
      assert.deepEqual([status, text.includes('no such address')], [404, true], path);
    }
    for (const path of [
      '/list-sessions',
      '/list-accounts',
      '/reset-password/x?callbackURL=/',
      '/callback/google',
      '/ok',
    ]) {
      assert.equal((await visitor.call(`/api/auth${path}`)).status, 404, path);
    }
  });
});

describe('a rule of the sign-in', () => {
  it('holds for every spelling of its path', async () => {
    const spellings = [
      '/api/auth/x/../sign-up/email',
      '/api/auth/x/%2e%2e/sign-up/email',
      '/api/auth/./sign-up/email',
      '/api/auth/sign-up/email#x',
      '/api/auth/sign-up/email/',
      '/api/auth//sign-up/email',
      '/api/auth/sign-up\\email',
      '/api/auth/%73ign-up/email',
    ];
    assert.equal((await signUp('/api/auth/sign-up/email', 'plain@example.com')).status, 403);
    for (const [index, path] of spellings.entries()) {
      const { status, text } = await signUp(path, `spelling-${index}@example.com`);
      assert.ok([400, 403, 404].includes(status), `${path}: ${status} ${text}`);
    }
    const { rows } = await world.testDatabase.database.pool.query('select email from identity."user"');
    assert.deepEqual(
      rows.filter(({ email }) => email.endsWith('@example.com')),
      [],
    );
  });

  it('holds for every kind of body', async () => {
    await world.admin.user.create({ email: 'form@other.example' });
    const form = 'email=form%40other.example&password=not+the+password';
    const json = JSON.stringify({ email: 'form@other.example', password: 'not the password' });
    for (const [body, type] of [
      [form, 'application/x-www-form-urlencoded'],
      [json, 'text/plain'],
      [`\xef\xbb\xbf${json}`, 'application/json'],
      [`[${json}]`, 'application/json'],
    ] as const) {
      const { status, text } = await post('/api/auth/sign-in/email', body, type);
      assert.deepEqual([status, JSON.parse(text).field], [400, 'body'], type);
    }
    // A body that the library reads is counted by the rule that locks the address.
    const visitor = createVisitor(world.server.baseUrl);
    assert.equal((await visitor.signIn('form@other.example', 'not the password')).status, 401);
  });
});
