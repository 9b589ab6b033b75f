import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { assertRefusedInDashboard, createVisitor } from '@sortie/testing/http/visitor.ts';
import { newDataDir, startTestServer, type TestServer } from '@sortie/testing/server/server.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
before(async () => {
  world = await createWorld({ flags: [] });
});
after(() => world.end());

const visit = () => createVisitor(world.server.baseUrl);
const tokenIn = (link: string) => new URL(link).hash.slice(1);
const signInOf = ({ demo }: TestServer) => demo?.signIn ?? assert.fail('no sign-in was printed');
const follow = (link: string, visitor = visit()) =>
  visitor.call('/api/auth/sign-in/link', { method: 'POST', body: { token: tokenIn(link) } });
const setPassword = (link: string, newPassword: string) =>
  visit().call('/api/auth/reset-password', { method: 'POST', body: { token: tokenIn(link), newPassword } });

describe('the first start of a demo', () => {
  it('prints an e-mail address and a password, with which its owner signs in', async () => {
    const { email, password } = signInOf(world.server);
    const owner = visit();
    assert.equal((await owner.signIn(email, password ?? '')).status, 200);
    const { body } = await owner.call('/api/me');
    assert.equal((body?.accounts as { id: string }[] | undefined)?.[0]?.id, world.server.demo?.accountId);
  });

  it('prints a link that signs in once, also of several requests at once', async () => {
    const { link } = signInOf(world.server);
    assert.match(link, new RegExp(`^${world.server.publicUrl}/sign-in/link#`));
    const answers = await Promise.all(Array.from({ length: 5 }, () => follow(link)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400]);
    assertRefusedInDashboard(await follow(link), 'VALIDATION_ERROR');
  });

  it('is followed by starts that print a new link, and no password', async () => {
    const dataDir = await newDataDir();
    await copyFile(path.join(world.server.dataDir, 'demo.json'), path.join(dataDir, 'demo.json'));
    const again = await startTestServer({ databaseUrl: world.testDatabase.url, dataDir });
    const { email, password, link } = signInOf(again);
    assert.deepEqual([email, password], [signInOf(world.server).email, null]);
    const owner = createVisitor(again.baseUrl);
    assert.equal((await follow(link, owner)).status, 200);
    assert.equal((await owner.call('/api/me')).status, 200);
    await again.stop();
    await rm(dataDir, { recursive: true });
  });

  it('leaves neither password nor token in the log or the database', async () => {
    const { password, link } = signInOf(world.server);
    const { rows } = await world.testDatabase.database.pool.query(
      `select row_to_json(v)::text as row from identity.verification v union all
       select row_to_json(a)::text from identity.account a union all
       select row_to_json(e)::text from audit_entry e`,
    );
    assert.ok(rows.length > 3);
    const stored = rows.map(({ row }) => row).join('\n') + world.server.log();
    assert.ok(!stored.includes(password ?? '-') && !stored.includes(tokenIn(link)));
  });
});

describe('admin user create', () => {
  it('returns a link with which the user sets a password, once', async () => {
    const { link } = await world.admin.user.create({ email: 'new@example.com' });
    assert.match(link, /^http:\/\/localhost:\d+\/reset-password#/);
    assertRefusedInDashboard(await follow(link), 'VALIDATION_ERROR');
    assertRefusedInDashboard(await setPassword(link, 'too short'), 'VALIDATION_ERROR');
    assert.equal((await setPassword(link, 'a password of their own')).status, 200);
    assertRefusedInDashboard(await setPassword(link, 'a password of others'), 'VALIDATION_ERROR');
    assert.equal((await visit().signIn('new@example.com', 'a password of their own')).status, 200);
  });
});

describe('admin user link', () => {
  it('replaces a lost password, and ends the sessions that used it', async () => {
    const ada = visit();
    await ada.signUp('lost@example.com');
    const { link } = await world.admin.user.link({ user: 'lost@example.com' });
    assert.equal((await setPassword(link, 'a password of their own')).status, 200);
    assertRefusedInDashboard(await ada.call('/api/me'), 'UNAUTHORIZED');
    assertRefusedInDashboard(await visit().signIn('lost@example.com'), 'UNAUTHORIZED');
  });

  it('is refused once it has expired', async () => {
    await visit().signUp('late@example.com');
    const { link } = await world.admin.user.link({ user: 'late@example.com' });
    await world.testDatabase.database.pool.query(
      `update identity.verification set "expiresAt" = now() - interval '1 second'`,
    );
    assertRefusedInDashboard(await setPassword(link, 'a password of their own'), 'VALIDATION_ERROR');
  });
});
