import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { LoginTried } from '@sortie/contract';
import { createPeople, type People, type Person } from '@sortie/testing/dashboard/people.ts';
import { assertRefusedInDashboard } from '@sortie/testing/http/visitor.ts';
import { allowing, withWorker } from '@sortie/testing/real-runs/real-run.ts';
import { createCanary, dumpTables, findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import { startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { createTarget } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const account = { name: 'customer', user: 'ada@example.com', pass: createCanary('url') };
const wrong = { ...account, pass: createCanary('url') };

let site: TargetServer;
let world: World;
let people: People;
let shop: { verificationId: string; targetUrl: string };
before(async () => {
  site = await startWebServer(answer);
  // Without a browser: form and API logins need none.
  world = await createWorld({ flags: withWorker, env: { ...allowing(site.port), SORTIE_CHROMIUM: '/nowhere' } });
  people = await createPeople(world);
  shop = await createTarget(world.admin, people, `${site.url}/`);
});
after(async () => {
  await world.end();
  await site.close();
});

/** A shop with a login form at /login. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const isIn = request.headers.cookie?.includes('sid=a-session') ?? false;
  const page = (html: string) => response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  if (request.method === 'POST' && request.url === '/login') return void logIn(request, response);
  if (request.url === '/login') {
    return void page(
      '<form method="post" action="/login"><input name="user"><input type="password" name="pass"></form>',
    );
  }
  if (request.url !== '/') return void response.writeHead(404).end();
  return void page(
    isIn ? '<h1>Your orders</h1><a href="/logout">Log out</a>' : '<h1>A shop</h1><a href="/login">Log in</a>',
  );
}

async function logIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const sent = new URLSearchParams(Buffer.concat(chunks).toString());
  const isRight = sent.get('user') === account.user && sent.get('pass') === account.pass;
  if (!isRight) return void response.writeHead(401, { 'content-type': 'text/html' }).end('Wrong password');
  response.writeHead(303, { location: '/', 'set-cookie': 'sid=a-session; Path=/' }).end();
}

const pathFor = ({ accountId }: People, { verificationId }: typeof shop) =>
  `/api/accounts/${accountId}/targets/${verificationId}/login-try`;

const tryLogin = (person: Person, target: typeof shop, credential: unknown) =>
  person.call(pathFor(people, target), { method: 'POST', body: { targetUrl: target.targetUrl, credential } });

async function tried(credential: unknown): Promise<LoginTried> {
  const { status, body, text } = await tryLogin(people.OWNER, shop, credential);
  assert.equal(status, 200, text);
  return body as unknown as LoginTried;
}

describe('a login that is tried before a run', () => {
  it('succeeds with the right password, and says what proves it', async () => {
    const { loggedIn, outcome, message, requests } = await tried(account);
    assert.deepEqual([loggedIn, outcome], [true, 'LOGGED_IN'], message);
    assert.match(
      message,
      /^Logged in with the login form\. .* differs between this account and an anonymous visitor\.$/,
    );
    assert.ok(requests > 2);
  });

  it('fails with a wrong password, and says that the target refused it', async () => {
    const { loggedIn, outcome, message } = await tried(wrong);
    assert.deepEqual([loggedIn, outcome], [false, 'USER_OR_PASSWORD'], message);
    assert.match(message, /rejected the login\. Check user and password\./);
  });

  it('says that the login needs a browser if the account asks for one and there is none', async () => {
    const { outcome, message } = await tried({ ...account, mode: 'browser' });
    assert.equal(outcome, 'NO_LOGIN');
    assert.match(message, /there was no browser/);
  });

  it('is not sent for a person to whom the target is not assigned', async () => {
    const before = site.connections();
    assertRefusedInDashboard(await tryLogin(people.MEMBER, shop, account), 'FORBIDDEN');
    assert.equal(site.connections(), before);
  });

  it('leaves a record of who tried, and nothing of the account in the database and the log', async () => {
    const { body } = await people.OWNER.call(`/api/accounts/${people.accountId}/audit`);
    const { entries: all } = body as { entries: { action: string }[] };
    const entries = all.filter(({ action }) => action === 'target.login-tried');
    assert.equal(entries.length, 3);
    const secrets = { password: account.pass, wrong: wrong.pass, user: account.user };
    assert.deepEqual(findLeaks(await dumpTables(world.testDatabase.database), secrets), []);
    assert.deepEqual(findLeaks(world.server.log(), secrets), []);
    assert.notDeepEqual(findLeaks(account.pass, secrets), [], 'the search finds what is there');
  });
});
