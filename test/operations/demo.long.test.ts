import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ManagedTarget } from '@sortie/contract';
import { runCli } from '@sortie/testing/cli/cli.ts';
import { type Commands, createCommands } from '@sortie/testing/cli/commands.ts';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { call } from '@sortie/testing/http/call.ts';
import { assertRefusedInDashboard, createVisitor } from '@sortie/testing/http/visitor.ts';
import { descendantsOf, read } from '@sortie/testing/server/processes.ts';
import { startTestServer, type TestServer } from '@sortie/testing/server/server.ts';

let testDatabase: TestDatabase;
let dataDir: string;
let server: TestServer;
let commands: Commands;

before(async () => {
  testDatabase = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'sortie-demo-'));
  const env = { SORTIE_CHROMIUM: path.join(dataDir, 'no-browser') };
  server = await startTestServer({ databaseUrl: testDatabase.url, dataDir, flags: ['--role', 'all'], env });
  commands = createCommands(testDatabase.url);
});

after(async () => {
  await server.stop();
  await testDatabase.drop();
  await rm(dataDir, { recursive: true });
});

const demo = (verb: string, folder = dataDir) => commands.run(['demo', '--data', folder, verb]);

async function demoAsJson(verb: string) {
  const { exitCode, stdout, stderr } = await commands.run(['demo', '--data', dataDir, '--json', verb]);
  assert.equal(exitCode, 0, stdout + stderr);
  return JSON.parse(stdout);
}

const startPentest = (key: string, verificationId: string) =>
  call(`${server.baseUrl}/v1/pentests`, {
    method: 'POST',
    key,
    headers: { 'idempotency-key': `demo-${key.slice(-4)}` },
    body: { targetUrl: server.demo?.target?.url, verificationId },
  });

describe('a start without a browser', () => {
  it('goes on, and says what is missing and what helps', () => {
    assert.match(server.log(), /install chromium, or set SORTIE_CHROMIUM.*checks that need one are skipped/);
  });
});

async function ratesOf(url = ''): Promise<number[]> {
  const rates = 'select requests_per_second as rate from target where origin = $1';
  const { rows } = await testDatabase.database.pool.query(rates, [new URL(url).origin]);
  return rows.map(({ rate }) => rate);
}

describe('the demo target', () => {
  it('does not run as root, and answers', async () => {
    const children = descendantsOf(server.child.pid ?? 0).filter((pid) =>
      read(`/proc/${pid}/cmdline`).includes('--permission'),
    );
    assert.equal(children.length, 1);
    const uids = /^Uid:\s+(.*)$/m.exec(read(`/proc/${children[0]}/status`))?.[1]?.split(/\s+/) ?? [];
    assert.equal(uids.length, 4);
    assert.ok(!uids.includes('0'), uids.join());
    assert.equal((await fetch(server.demo?.target?.url ?? '')).status, 200);
  });

  it('may be tested as fast as rules can allow, unless an operator says otherwise', async () => {
    assert.deepEqual(await ratesOf(server.demo?.target?.url), [50]);
  });
});

describe('sortie demo status', () => {
  it('tells what runs, where, and what the demo account has', async () => {
    assert.ok(server.demo?.target);
    const { apiKey, accountId, target } = server.demo;
    const status = await demoAsJson('status');
    assert.match(status.target.expiresAt, /^\d{4}-/);
    assert.deepEqual(status, {
      schema: 'sortie.demo/1',
      running: true,
      baseUrl: server.baseUrl,
      dataDir,
      accountId,
      apiKeyTail: apiKey.slice(-4),
      apiKeyWorks: true,
      email: server.demo.signIn?.email,
      credits: { available: 25_000, held: 0 },
      target: { ...target, expiresAt: status.target.expiresAt },
    });
    const { stdout } = await demo('status');
    assert.match(stdout, new RegExp(`^server +running at ${server.baseUrl}$`, 'm'));
    assert.match(stdout, /^credits +25000 available, 0 held$/m);
    assert.ok(!stdout.includes(apiKey), 'the whole key is shown');
  });

  it('says so where there is nothing yet, and how to begin', async () => {
    const { exitCode, stdout } = await demo('status', path.join(dataDir, 'nothing'));
    assert.equal(exitCode, 0);
    assert.match(stdout, /^server +not running; start it with: npm start$/m);
    assert.match(stdout, /^account +none yet$/m);
  });

  it('does not believe the file of a server that was killed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sortie-demo-'));
    const addresses = JSON.parse(await readFile(path.join(dataDir, 'addresses.json'), 'utf8'));
    for (const left of [JSON.stringify({ ...addresses, pid: 1 }), '{ "pid": ', '{}']) {
      await writeFile(path.join(folder, 'addresses.json'), left);
      assert.match((await demo('status', folder)).stdout, /^server +not running/m, left);
    }
    await rm(folder, { recursive: true });
  });
});

describe('sortie demo reset', () => {
  it('closes the account, cancels its runs, and makes a fresh one with the same target', async () => {
    assert.ok(server.demo?.target);
    const { apiKey, accountId, target } = server.demo;
    const started = await startPentest(apiKey, target.verificationId);
    assert.equal(started.status, 201, started.text);
    const fresh = await demoAsJson('reset');
    assert.deepEqual(fresh.former, { accountId, cancelledPentests: 1 });
    const refused = await call(`${server.baseUrl}/v1/credits/balance`, { key: apiKey });
    assert.deepEqual([refused.status, refused.body?.code], [403, 'ACCOUNT_SUSPENDED']);
    const env = { XDG_CONFIG_HOME: dataDir, SORTIE_BASE_URL: server.baseUrl, SORTIE_API_KEY: apiKey };
    const { exitCode, stderr } = await runCli(['credits'], { cwd: dataDir, env });
    assert.equal(exitCode, 5);
    assert.match(
      stderr,
      /: This account is suspended\..* \[ACCOUNT_SUSPENDED\]\n.*npx sortie admin account resume ACCOUNT/,
    );
    assert.doesNotMatch(stderr, /demo/);

    const status = await demoAsJson('status');
    assert.equal(status.accountId, fresh.accountId);
    assert.notEqual(status.accountId, accountId);
    assert.deepEqual(status.credits, { available: 25_000, held: 0 });
    assert.equal(status.target.url, target.url);
    const handedDown = { url: target.url, verificationId: status.target.verificationId };
    assert.deepEqual(
      fresh.targets.filter(({ url }: { url: string }) => url === target.url),
      [handedDown],
    );
    const again = await startPentest(fresh.apiKey, status.target.verificationId);
    assert.equal(again.status, 201, again.text);
    assert.deepEqual(await ratesOf(target.url), [50, 50]);
  });

  it('says what it has done, and how to go on', async () => {
    const { exitCode, stdout } = await demo('reset');
    assert.equal(exitCode, 0);
    assert.match(stdout, /^Demo account acc_\w+ is closed, .* \(pentests cancelled: 1\)\.$/m);
    const { apiKey } = JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8'));
    assert.ok(stdout.includes(`  export SORTIE_API_KEY=${apiKey}\n`));
  });

  it('is refused without a demo account, without a server, and in environment live', async () => {
    const nothing = path.join(dataDir, 'nothing');
    const without = await demo('reset', nothing);
    assert.equal(without.exitCode, 1);
    assert.match(without.stderr, /has no demo account\. "npm start" makes one/);
    assert.equal(existsSync(nothing), false);

    const alone = createCommands('');
    const { exitCode, stderr } = await alone.run(['demo', '--data', nothing, 'reset']);
    assert.equal(exitCode, 1);
    assert.match(stderr, /No server is running on the data folder .*nothing\. Start it with "npm start"/);

    const known = await readFile(path.join(dataDir, 'demo.json'), 'utf8');
    await testDatabase.database.pool.query(`update service set environment = 'live'`);
    const live = await demo('reset');
    await testDatabase.database.pool.query(`update service set environment = 'test'`);
    assert.equal(live.exitCode, 1);
    assert.match(live.stderr, /in environment test only/);
    assert.equal(await readFile(path.join(dataDir, 'demo.json'), 'utf8'), known);
  });
});

describe('the demo target', () => {
  it('publishes the proof of a new account, and the check finds it', async () => {
    const visitor = createVisitor(server.baseUrl);
    await visitor.signUp('proof@example.com');
    const me = await visitor.call('/api/me');
    const accounts = (me.body?.accounts ?? []) as { id: string }[];
    const targets = `/api/accounts/${accounts[0]?.id}/targets`;
    const post = (at: string, body?: unknown) =>
      visitor.call(targets + at, {
        method: 'POST',
        ...(body === undefined ? { headers: { 'content-length': 0 } } : { body }),
      });
    const other = (await post('', { url: 'shop.example.org', method: 'file' })).body as unknown as ManagedTarget;
    assert.equal(other.canPublish, false);
    assertRefusedInDashboard(await post(`/${other.verificationId}/publish`), 'VALIDATION_ERROR');
    for (const method of ['file', 'meta']) {
      const added = await post('', { url: server.demo?.target?.url, method });
      const { verificationId, canPublish, verified } = added.body as unknown as ManagedTarget;
      assert.deepEqual([canPublish, verified], [true, false], added.text);
      assert.equal((await post(`/${verificationId}/publish`)).status, 200);
      assert.equal((await post(`/${verificationId}/check`)).status, 200);
      let found: ManagedTarget;
      do {
        await sleep(100);
        found = (await visitor.call(`${targets}/${verificationId}/overview`)).body as unknown as ManagedTarget;
      } while (found.lastCheck?.state !== 'DONE');
      assert.deepEqual([found.verified, found.lastCheck.outcome], [true, 'FOUND'], found.lastCheck.message ?? '');
    }
  });
});
