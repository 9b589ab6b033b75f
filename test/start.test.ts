import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { type Admin, defaultCatalogue, findEmbeddedPostgres, openAdmin } from '@sortie/server';
import { readDatabaseFile } from '../packages/server/src/db/embedded/database-file.ts';
import { type Answer, call } from './support/call.ts';
import { createTestFolder, type TestFolder } from './support/data-folder.ts';
import { createTestDatabase } from './support/database.ts';
import { endpointNames, validRequest } from './support/endpoint-request.ts';
import type { ReadyLine } from './support/server.ts';
import { endGroup, killLeftovers, postmasterOf, quietFlags, startUp, type Up, waitFor } from './support/up.ts';

const asRoot = process.getuid?.() === 0;
const STOP_WITHIN_MS = 5_000;
/** Names nobody by this number on any common system, and may do nothing. */
const nobody = { uid: 65_534, gid: 65_534 };

let folder: TestFolder;

beforeEach(async () => {
  folder = await createTestFolder();
});

afterEach(async () => {
  killLeftovers();
  await folder.remove();
});

after(killLeftovers);

const up = (...flags: string[]): Up => startUp({ flags: quietFlags(folder.data, ...flags) });

const upForPeople = (...flags: string[]): Up =>
  startUp({ flags: quietFlags(folder.data, ...flags).filter((flag) => flag !== '--json') });

async function assertStopped(server: Up, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const { code, durationMs } = await server.end(signal);
  assert.equal(code, 0, server.stderr());
  assert.ok(durationMs < STOP_WITHIN_MS, `the stop took ${Math.round(durationMs)} ms`);
  assert.equal(await postmasterOf(folder.data), undefined, 'the database was left running');
}

async function assertRefused(server: Up, message: RegExp): Promise<void> {
  const { code } = await server.end();
  assert.ok(code !== null && code !== 0, `exit ${code}`);
  assert.match(server.stderr(), message);
  assert.doesNotMatch(server.stderr(), /^\s+at /m, 'a stack trace is no message');
  assert.equal(server.stdout(), '');
}

/** Its target may be at another port each time. */
const accountOf = ({ demo }: ReadyLine) => demo && { accountId: demo.accountId, apiKey: demo.apiKey };

async function readBalance({ baseUrl, demo }: ReadyLine): Promise<Answer> {
  assert.ok(demo);
  const answer = await call(`${baseUrl}/v1/credits/balance`, { key: demo.apiKey });
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

/** All permissions, at least 20,000 credits, no budget, and a file that nobody else can read. */
async function assertDemo(ready: ReadyLine): Promise<void> {
  const { body } = await readBalance(ready);
  assert.ok(Number(body?.available) >= 20_000);
  assert.equal(body?.keyBudget, null);
  assert.equal(body?.memberAllowance, null);
  for (const name of endpointNames) {
    const { path: route, options } = validRequest(name);
    const { status } = await call(ready.baseUrl + route, { ...options, key: ready.demo?.apiKey ?? '' });
    assert.ok([200, 201, 404].includes(status), `${name}: ${status}`);
  }
  const file = path.join(ready.dataDir, 'demo.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), accountOf(ready));
  const { status } = await call(ready.demo?.target?.url ?? '', { key: '' });
  assert.equal(status, 200, 'the demo target is there');
}

/** The service confirms a grant; from then on it must outlive every crash. */
async function grantOneCredit({ demo }: ReadyLine): Promise<void> {
  assert.ok(demo);
  await withAdmin((admin) => admin.credits.grant({ account: demo.accountId, source: 'purchased', amount: '1' }));
}

async function withAdmin(work: (admin: Admin) => Promise<unknown>): Promise<void> {
  const connection = await findEmbeddedPostgres(folder.data);
  assert.ok(connection);
  const admin = openAdmin({ connection, catalogue: defaultCatalogue });
  await work(admin);
  await admin.close();
}

/** How far a start on a fresh folder has come, in this order. */
const stages = {
  'a password': () => existsSync(path.join(folder.data, 'database.json')),
  'an unfinished database': async () => {
    const names = await readdir(path.join(folder.data, 'database')).catch(() => []);
    return names.some((name) => name.startsWith('initdb-'));
  },
  'a running database': async () => (await postmasterOf(folder.data).catch(() => undefined)) !== undefined,
};

describe('the first start', () => {
  it('says on stdout in one line of JSON what was started and what was seeded, again at each start', async () => {
    const first = up();
    const ready = await first.ready();
    assert.deepEqual(Object.keys(ready).sort(), ['baseUrl', 'dataDir', 'demo', 'environment', 'opsUrl']);
    assert.equal(ready.dataDir, folder.data);
    assert.equal(ready.environment, 'test');
    assert.match(ready.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    await assertDemo(ready);
    await assertStopped(first);
    assert.equal(first.stdout().trim().split('\n').length, 1);
    for (const line of first.stderr().trim().split('\n')) assert.ok(JSON.parse(line).msg, line);

    const second = up();
    const again = await second.ready();
    assert.deepEqual(accountOf(again), accountOf(ready));
    await readBalance(again);
    await assertStopped(second, 'SIGINT');

    const third = up('--no-demo');
    assert.equal((await third.ready()).demo, null);
    await assertStopped(third, 'SIGHUP');

    const forPeople = upForPeople();
    await waitFor(() => forPeople.stdout().includes('Try, in a second'), { what: 'the words for people' });
    assert.match(forPeople.stdout(), new RegExp(`API key +${ready.demo?.apiKey}$`, 'm'));
    await assertStopped(forPeople);
    assert.match(forPeople.stdout(), /^Stopped\.$/m);

    const withoutDemo = upForPeople('--no-demo');
    const step = `No account yet? npx sortie admin --data ${folder.data} account create --help`;
    await waitFor(() => withoutDemo.stdout().includes(step), { what: 'the next step' });
    await assertStopped(withoutDemo);

    await assertRefused(
      up('--environment', 'live', '--role', 'api'),
      /belongs to the test environment.*started for live/,
    );
    assert.equal(await postmasterOf(folder.data), undefined);
  });

  it('seeds nothing with --no-demo, nor in environment live, which then refuses servers for test', async () => {
    const testDatabase = await createTestDatabase();
    await testDatabase.database.queries.deleteFrom('service').execute();
    const shared = (...flags: string[]) =>
      startUp({
        flags: quietFlags(folder.data, ...flags),
        env: { DATABASE_URL: testDatabase.url, SORTIE_CONTACT: 'abuse@example.com' },
      });
    const live = shared('--environment', 'live');
    const ready = await live.ready();
    assert.equal(ready.environment, 'live');
    assert.equal(ready.demo, null);
    assert.equal((await live.end('SIGTERM')).code, 0);
    assert.equal(existsSync(path.join(folder.data, 'demo.json')), false);
    const accounts = await testDatabase.database.queries.selectFrom('account').select('id').execute();
    assert.deepEqual(accounts, []);
    await assertRefused(shared(), /belongs to the live environment.*started for test/);
    await testDatabase.drop();
  });
});

describe('a demo key that was revoked', () => {
  it('is not shown again: the next start has a new one for the same account', async () => {
    const first = up();
    const { demo } = await first.ready();
    assert.ok(demo);
    await withAdmin((admin) => admin.key.revoke({ id: demo.apiKey.split('_')[2] ?? '' }));
    await assertStopped(first);
    const second = up();
    const again = await second.ready();
    assert.equal(again.demo?.accountId, demo.accountId);
    assert.notEqual(again.demo?.apiKey, demo.apiKey);
    await assertDemo(again);
    await assertStopped(second);
  });
});

describe('the data folder', () => {
  it('may have a long path below a folder that the user of the database cannot enter', async () => {
    const closed = path.join(folder.root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    folder.data = path.join(closed, 'a-long-name-'.repeat(20).slice(0, 200), 'data');
    const first = up();
    const ready = await first.ready();
    await grantOneCredit(ready);
    await assertStopped(first);
    const second = up();
    const { body } = await readBalance(await second.ready());
    assert.equal(body?.purchased, 20_001);
    await assertStopped(second);
    const file = await readDatabaseFile(folder.data);
    assert.equal(file?.databaseFolder !== undefined, asRoot);
    const forPeople = upForPeople();
    await waitFor(() => forPeople.stdout().includes('Try, in a second'), { what: 'the words for people' });
    const place = file?.databaseFolder ? `${folder.data} (database in ${file.databaseFolder})` : folder.data;
    assert.ok(forPeople.stdout().includes(`  Data       ${place}\n`));
    await assertStopped(forPeople);
    if (file?.databaseFolder) await rm(file.databaseFolder, { recursive: true });
  });

  it('is explained when it cannot be used', async () => {
    await writeFile(path.join(folder.root, 'file'), '');
    const inFile = startUp({ flags: quietFlags(path.join(folder.root, 'file/data')) });
    await assertRefused(inFile, /The data folder .*file\/data cannot be used: ENOTDIR/);
    const file = startUp({ flags: quietFlags(path.join(folder.root, 'file')) });
    await assertRefused(file, /The data folder .*\/file is a file\. Name a folder\./);
    await mkdir(path.join(folder.root, 'read-only'), { mode: 0o555 });
    const forbidden = startUp({
      flags: quietFlags(path.join(folder.root, 'read-only/data')),
      ...(asRoot ? { user: nobody } : {}),
    });
    await assertRefused(forbidden, /The data folder .*read-only\/data cannot be used: EACCES/);
  });
});

describe('a second server on the same data folder', () => {
  it('is refused, and the first goes on', async () => {
    const first = up();
    const ready = await first.ready();
    const second = up();
    await assertRefused(second, new RegExp(`Another server \\(process ${first.child.pid}\\) already runs`));
    assert.match(second.stderr(), /npm start -- --data \.sortie2 --port 0 --range-port 0 --ops-port 0$/m);
    // Also when it asks for the same ports, which is the lesser reason.
    const [port = '', opsPort = ''] = [ready.baseUrl, ready.opsUrl].map((url) => new URL(url).port);
    await assertRefused(up('--port', port, '--ops-port', opsPort), /Another server .* already runs/);
    await readBalance(ready);
    await assertStopped(first);
  });

  it('is refused when both start at the same moment on a fresh folder', async () => {
    const servers = [up(), up()];
    const hasEnded = ({ child }: Up) => child.exitCode !== null;
    await waitFor(() => servers.some(hasEnded), { what: 'one of them to be refused' });
    const [first, second] = servers.toSorted((a, b) => Number(hasEnded(a)) - Number(hasEnded(b)));
    assert.ok(first && second);
    await assertRefused(second, /Another server \(process \d+\) already runs on this data folder/);
    await readBalance(await first.ready());
    await assertStopped(first);
  });
});

describe('after kill -9', () => {
  it('of the server, several times and also during the start, the next start works and nothing is lost', async () => {
    let granted = 0;
    for (const [name, isReached] of Object.entries(stages)) {
      const server = up();
      await waitFor(isReached, { what: `${name}: ${server.stderr()}` });
      await server.end('SIGKILL');
    }
    for (let round = 0; round < 2; round++) {
      const server = up();
      const ready = await server.ready();
      await grantOneCredit(ready);
      granted++;
      await server.end('SIGKILL');
      assert.ok(await postmasterOf(folder.data), 'the database lives on');
    }
    const last = up();
    const { body } = await readBalance(await last.ready());
    assert.equal(body?.purchased, 20_000 + granted);
    await assertStopped(last);
  });

  it('of server and database the next start recovers what was confirmed', async () => {
    const server = up();
    const ready = await server.ready();
    await grantOneCredit(ready);
    const postmaster = await postmasterOf(folder.data);
    assert.ok(postmaster);
    process.kill(postmaster, 'SIGKILL');
    await server.end('SIGKILL');
    const next = up();
    const again = await next.ready();
    assert.deepEqual(accountOf(again), accountOf(ready));
    assert.equal((await readBalance(again)).body?.purchased, 20_001);
    await assertStopped(next);
  });
});

describe('a signal', () => {
  it('sent by a terminal to the whole group, or to npm alone, ends everything started with npm start', async () => {
    for (const isTerminal of [true, false]) {
      const server = startUp({ flags: quietFlags(folder.data), isGroup: true, viaNpm: true });
      await readBalance(await server.ready());
      const { code, durationMs } = await (isTerminal ? endGroup(server, 'SIGINT') : server.end('SIGTERM'));
      assert.equal(code, 0, server.stderr());
      assert.ok(durationMs < STOP_WITHIN_MS);
      assert.match(server.stderr(), /"msg":"stopped"/);
      assert.equal(await postmasterOf(folder.data), undefined);
    }
  });

  it('during the start leaves nothing running, whenever it comes', async () => {
    for (const name of ['an unfinished database', 'a running database'] as const) {
      const server = startUp({ flags: quietFlags(folder.data), isGroup: true });
      await waitFor(stages[name], { what: `${name}: ${server.stderr()}` });
      const { code } = await endGroup(server, 'SIGINT');
      assert.equal(code, 0, server.stderr());
      assert.equal(server.stdout(), '');
      assert.equal(await postmasterOf(folder.data), undefined);
    }
    const server = up();
    await readBalance(await server.ready());
    await assertStopped(server);
  });
});
