import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Answer, call } from './support/call.ts';
import { createTestFolder, type TestFolder } from './support/data-folder.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import type { ReadyLine } from './support/server.ts';
import { killLeftovers, postmasterOf, quietFlags, startUp, type Up, waitFor } from './support/up.ts';

const STOP_WITHIN_MS = 5_000;
const BACK_WITHIN_MS = 20_000;
/** Named so that it is not taken for a program of a package. */
const MKFIFO = 'mkfifo';

let folder: TestFolder;
let testDatabase: TestDatabase;
let dataFolders = 0;

before(async () => {
  folder = await createTestFolder();
  testDatabase = await createTestDatabase();
});

after(async () => {
  killLeftovers();
  await testDatabase.drop();
  await folder.remove();
});

interface Node extends ReadyLine {
  up: Up;
}

const newDataDir = () => path.join(folder.root, `data-${dataFolders++}`);

/** On the shared database, with a demo account of its own. */
async function startNode(flags: string[] = [], env: Record<string, string> = {}): Promise<Node> {
  const up = startUp({
    flags: quietFlags(newDataDir(), ...flags),
    env: { DATABASE_URL: testDatabase.url, ...env },
  });
  return { up, ...(await up.ready()) };
}

const readBalance = ({ baseUrl, demo }: ReadyLine, options: { agent?: http.Agent } = {}): Promise<Answer> =>
  call(`${baseUrl}/v1/credits/balance`, { key: demo?.apiKey ?? '', ...options });

const readiness = async ({ opsUrl }: ReadyLine) => (await call(`${opsUrl}/readyz`)).status;

async function isServing(node: ReadyLine): Promise<boolean> {
  const answer = await readBalance(node);
  if (answer.status === 200) return true;
  assert.equal(answer.status, 500, answer.text);
  assert.equal(answer.body?.code, 'INTERNAL_ERROR');
  assert.equal(answer.body?.statusCode, 500);
  assert.equal(typeof answer.body?.message, 'string');
  return false;
}

async function assertEnds(node: Node): Promise<void> {
  const { code, durationMs } = await node.up.end('SIGTERM');
  assert.equal(code, 0, node.up.stderr());
  assert.ok(durationMs < STOP_WITHIN_MS, `the stop took ${Math.round(durationMs)} ms`);
}

function logLines(up: Up): Record<string, unknown>[] {
  return up
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** While it is held, every request of the key waits to be counted. */
async function holdCounterOf({ demo }: ReadyLine): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client(testDatabase.url);
  await client.connect();
  await client.query('begin');
  const { rowCount } = await client.query('update rate_counter set requests = requests where counter like $1', [
    `key:read:${demo?.apiKey.split('_')[2]}`,
  ]);
  assert.equal(rowCount, 1);
  return {
    async release() {
      await client.query('commit');
      await client.end();
    },
  };
}

const waitUntilRequestWaits = () =>
  waitFor(
    async () => {
      const { rows } = await testDatabase.database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    },
    { what: 'a request to wait for the counter' },
  );

async function terminateSessions(): Promise<void> {
  await testDatabase.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

describe('the operator port', () => {
  it('tells health, readiness and metrics, on loopback only', async () => {
    const node = await startNode(['--host', '0.0.0.0', '--behind-proxy', '1']);
    await readBalance(node);
    assert.equal((await call(`${node.opsUrl}/healthz`)).status, 200);
    assert.equal(await readiness(node), 200);
    const counter = 'sortie_http_request_seconds_count{method="GET",route="/v1/credits/balance",status="200"} 1\n';
    const readMetrics = async () => (await call(`${node.opsUrl}/metrics`)).text;
    // A request is counted when its answer is out, which its caller may see first.
    await waitFor(async () => (await readMetrics()).includes(counter), { what: counter });
    assert.match(await readMetrics(), /^process_resident_memory_bytes /m);
    assert.equal((await call(`${node.opsUrl}/`)).status, 404);
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal);
    if (outside) {
      const { port } = new URL(node.opsUrl);
      await assert.rejects(call(`http://${outside.address}:${port}/healthz`), { code: 'ECONNREFUSED' });
      const api = new URL(node.baseUrl).port;
      assert.equal((await call(`http://${outside.address}:${api}/v1/levels`)).status, 401);
    }
    await assertEnds(node);
  });
});

describe('a stop', () => {
  it('finishes requests in flight, takes no new ones, and waits for nothing else', async () => {
    const node = await startNode();
    await readBalance(node);
    const agent = new http.Agent({ keepAlive: true });
    const idle = net.connect(Number(new URL(node.baseUrl).port), '127.0.0.1');
    await once(idle, 'connect');
    const { release } = await holdCounterOf(node);
    const inFlight = readBalance(node, { agent });
    await waitUntilRequestWaits();
    const ended = node.up.end('SIGTERM');
    await waitFor(async () => (await readiness(node)) === 503, { what: 'not ready while stopping' });
    await assert.rejects(readBalance(node), { code: 'ECONNREFUSED' });
    assert.equal((await call(`${node.opsUrl}/healthz`)).status, 200);
    await sleep(500);
    assert.equal(node.up.child.exitCode, null, 'it went without its request');
    await release();
    const answer = await inFlight;
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.connection, 'close');
    const { code, durationMs } = await ended;
    assert.equal(code, 0);
    assert.ok(durationMs < 2_900, `the stop took ${Math.round(durationMs)} ms`);
    agent.destroy();
    idle.destroy();
  });

  it('does not wait for ever: neither for a request, nor for its connection to the database', async () => {
    const node = await startNode();
    await readBalance(node);
    const { release } = await holdCounterOf(node);
    const inFlight = assert.rejects(readBalance(node), { code: 'ECONNRESET' });
    await waitUntilRequestWaits();
    await assertEnds(node);
    await inFlight;
    await release();
  });

  it('is cut short by a second signal, but not by the echo of the first', async () => {
    const node = await startNode();
    await readBalance(node);
    const { release } = await holdCounterOf(node);
    const inFlight = assert.rejects(readBalance(node), { code: 'ECONNRESET' });
    await waitUntilRequestWaits();
    node.up.child.kill('SIGINT');
    await sleep(50);
    node.up.child.kill('SIGINT');
    await sleep(1_000);
    assert.equal(node.up.child.exitCode, null, 'the echo ended it');
    const { code, durationMs } = await node.up.end('SIGINT');
    assert.equal(code, 1);
    assert.ok(durationMs < 1_000, `${Math.round(durationMs)} ms`);
    await inFlight;
    await release();
  });

  it('follows an error that nobody foresaw, which is logged without what it says', async () => {
    const bomb = `process.on('SIGUSR2', () => { throw new Error('canary in a message') })`;
    const node = await startNode([], { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bomb)}` });
    const { code } = await node.up.end('SIGUSR2');
    assert.equal(code, 1);
    assert.match(node.up.stderr(), /"msg":"unexpected error"/);
    assert.match(node.up.stderr(), /"msg":"stopped"/);
    assert.match(node.up.stderr(), /error: The server stopped because of an unexpected error/);
    assert.doesNotMatch(node.up.stderr(), /canary in a message/);
  });
});

describe('the log', () => {
  it('is JSON, names each request as its answer does, and never repeats what was sent', async () => {
    const node = await startNode([], { SORTIE_LOG_LEVEL: 'debug' });
    const answers = await sendCanaries(node);
    await refuseConnections();
    answers.push(await sendCanary(node, { path: '/v1/credits/usage?pentestId=canary-query' }));
    assert.equal(answers.at(-1)?.status, 500);
    await allowConnections();
    await assertEnds(node);

    const lines = logLines(node.up);
    for (const { status, headers } of answers) {
      const id = headers['x-request-id'];
      assert.ok(id);
      const line = lines.find(({ requestId, msg }) => requestId === id && msg === 'answered');
      assert.equal(line?.status, status);
    }
    const failed = lines.find(({ msg }) => msg === 'request failed');
    assert.equal(failed?.requestId, answers.at(-1)?.headers['x-request-id']);
    assert.ok(failed?.errorName);
    assert.match(String(failed?.errorAt), /\.[tj]s:\d+:\d+/);
    assert.doesNotMatch(node.up.stderr(), /canary/i);
    assert.ok(!node.up.stderr().includes(node.demo?.apiKey.split('_')[3] ?? ''), 'the log has the key');
  });

  it('is lost before the service is, when nobody reads it or the disk is full', async () => {
    const unread = path.join(folder.root, 'unread');
    execFileSync(MKFIFO, [unread]);
    for (const sink of [unread, '/dev/full']) {
      const stderr = openSync(sink, 'r+');
      const env = { DATABASE_URL: testDatabase.url };
      const up = startUp({ flags: quietFlags(newDataDir()), env, stderr });
      const node = { up, ...(await up.ready()) };
      const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
      const readWithoutKey = () => call(`${node.baseUrl}/v1/levels`, { agent });
      // The log of these takes more than the 64 KiB that a pipe holds.
      const answers = await Promise.all(Array.from({ length: 1_000 }, readWithoutKey));
      assert.ok(answers.every(({ status }) => status === 401));
      assert.ok(await isServing(node));
      agent.destroy();
      await assertEnds(node);
      closeSync(stderr);
    }
  });
});

/** Every way in which a request can be refused, with something in it that must not be written down. */
async function sendCanaries(node: Node): Promise<Answer[]> {
  const body = { targetUrl: 'https://canary.example/', verificationId: 'canary', surprise: 'canary' };
  const headers = { 'idempotency-key': 'canary-idempotency', cookie: 'canary-cookie', 'user-agent': 'canary-agent' };
  const junk = `srt_test_${'c'.repeat(12)}_${'canary'.repeat(6)}aa`;
  const start = { path: '/v1/pentests', method: 'POST', headers };
  const answers = [
    await sendCanary(node, { path: '/v1/credits/balance', key: 'canary-key' }),
    await sendCanary(node, { path: '/v1/credits/balance', key: junk }),
    await sendCanary(node, { path: '/v1/canary-path/canary?canary=canary' }),
    await sendCanary(node, { path: '/canary-page' }),
    await sendCanary(node, { path: '/%zz-canary' }),
    await sendCanary(node, { path: '/v1/credits/usage?limit=canary&from=canary' }),
    await sendCanary(node, { path: '/v1/pentests/canary-id' }),
    await sendCanary(node, { ...start, body }),
    await sendCanary(node, { ...start, body: '{"canary": canary' }),
    await sendCanary(node, { ...start, body: Buffer.from('"canary\xff"', 'latin1') }),
    await sendCanary(node, { ...start, body, headers: { ...headers, 'content-type': 'text/canary' } }),
    await sendCanary(node, { ...start, body: { targetUrl: 'canary'.repeat(50_000) } }),
  ];
  assert.ok(answers.every(({ status }) => status >= 400 && status < 500));
  const socket = net.connect(Number(new URL(node.baseUrl).port), '127.0.0.1');
  socket.end('CANARY canary HTTP/canary\r\ncanary: canary\r\n\r\n');
  await once(socket.resume(), 'close');
  return answers;
}

type CanaryRequest = Parameters<typeof call>[1] & { path: string };

function sendCanary({ baseUrl, demo }: Node, { path: route, ...options }: CanaryRequest): Promise<Answer> {
  return call(baseUrl + route, { key: demo?.apiKey ?? '', ...options });
}

/** As if the database were away: nobody is connected, and nobody can connect. */
async function refuseConnections(): Promise<void> {
  await alterDatabase('allow_connections false');
}

async function allowConnections(): Promise<void> {
  await alterDatabase('allow_connections true');
}

async function alterDatabase(change: string): Promise<void> {
  const { database: name, ...server } = testDatabase.connection;
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  await client.query(`alter database ${name} ${change}`);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await client.end();
}

describe('when the database goes away', () => {
  it('requests answer 500, the process survives, and it works again by itself', async () => {
    const node = await startNode();
    assert.ok(await isServing(node));
    for (let round = 0; round < 3; round++) {
      await terminateSessions();
      await waitFor(() => isServing(node), {
        what: 'the API after its connections were cut',
        withinMs: BACK_WITHIN_MS,
      });
    }
    await refuseConnections();
    assert.equal(await isServing(node), false);
    assert.equal(await readiness(node), 503);
    assert.equal((await call(`${node.opsUrl}/healthz`)).status, 200);
    await allowConnections();
    await waitFor(() => isServing(node), { what: 'the API with the database back', withinMs: BACK_WITHIN_MS });
    assert.equal(await readiness(node), 200);
    await waitFor(() => node.up.stderr().includes('the database is back'), { what: 'the lock to be taken again' });
    const second = startUp({ flags: quietFlags(node.dataDir), env: { DATABASE_URL: testDatabase.url } });
    assert.equal((await second.end()).code, 1);
    assert.match(second.stderr(), new RegExp(`Another server \\(process ${node.up.child.pid}\\) already runs`));
    await assertEnds(node);
  });

  it('in the middle of a transaction, the process survives as well', async () => {
    const client = new pg.Client(testDatabase.url);
    await client.connect();
    await client.query('delete from recurring_job');
    // A job holds its own row in one transaction and waits for the table in a second one.
    await client.query('begin; lock table credit_grant');
    const node = await startNode(['--no-demo']);
    await waitUntilRequestWaits();
    await testDatabase.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'sortie%' and pid <> pg_backend_pid()`,
    );
    await client.query('commit');
    await client.end();
    await waitFor(() => node.up.stderr().includes('recurring job failed'), { what: 'the job to fail' });
    await waitFor(async () => (await readiness(node)) === 200, { what: 'the database', withinMs: BACK_WITHIN_MS });
    await assertEnds(node);
  });

  it('and is the embedded one, the server starts it again', async () => {
    const up = startUp({ flags: quietFlags(folder.data) });
    const node = { up, ...(await up.ready()) };
    for (const signal of ['SIGKILL', 'SIGQUIT'] as const) {
      const postmaster = await postmasterOf(folder.data);
      assert.ok(postmaster);
      process.kill(postmaster, signal);
      // Its sessions may live on for a moment and answer as if nothing had happened.
      const isAnother = async () =>
        ![undefined, postmaster].includes(await postmasterOf(folder.data).catch(() => undefined));
      await waitFor(isAnother, { what: 'another database', withinMs: BACK_WITHIN_MS });
      await waitFor(() => isServing(node), { what: 'the API with its database back', withinMs: BACK_WITHIN_MS });
      assert.equal(await readiness(node), 200);
    }
    const second = startUp({ flags: quietFlags(folder.data) });
    assert.equal((await second.end()).code, 1);
    assert.match(second.stderr(), /already runs on this data folder/);
    await assertEnds(node);
    assert.equal(await postmasterOf(folder.data), undefined);
  });

  it('and its data folder is taken by another server, or removed, the server stops and says so', async () => {
    // The database of a server that was killed is nobody's child, so its end shows also while this one is frozen.
    const killed = startUp({ flags: quietFlags(folder.data) });
    await killed.ready();
    await killed.end('SIGKILL');
    const up = startUp({ flags: quietFlags(folder.data) });
    await up.ready();
    const postmaster = await postmasterOf(folder.data);
    assert.ok(postmaster);
    up.child.kill('SIGSTOP');
    process.kill(postmaster, 'SIGKILL');
    const other = startUp({ flags: quietFlags(folder.data) });
    const node = { up: other, ...(await other.ready()) };
    up.child.kill('SIGCONT');
    const { code } = await up.end();
    assert.equal(code, 1);
    assert.match(up.stderr(), new RegExp(`error: Another server \\(process ${other.child.pid}\\) already runs`));
    assert.ok(await isServing(node));

    const last = await postmasterOf(folder.data);
    assert.ok(last);
    await rm(folder.data, { recursive: true });
    process.kill(last, 'SIGKILL');
    assert.equal((await other.end()).code, 1);
    assert.match(other.stderr(), /error: The database of the data folder .* is gone/);
  });
});

describe('DATABASE_URL', () => {
  it('is shared by nodes of every role, each with a data folder of its own', async () => {
    const nodes = await Promise.all([startNode(['--no-demo']), startNode(['--role', 'api'])]);
    const worker = await startNode(['--role', 'worker']);
    assert.equal(worker.baseUrl, null);
    assert.equal(worker.demo, null);
    assert.equal(await readiness(worker), 200);
    const [all, api] = nodes;
    const answer = await readBalance({ ...api, baseUrl: all.baseUrl });
    assert.equal(answer.status, 200);
    await Promise.all([...nodes, worker].map(assertEnds));
  });

  it('that leads nowhere is refused without its password', async () => {
    const { host = '', database } = testDatabase.connection;
    const socket = `host=${encodeURIComponent(host)}&port=5432`;
    const addresses: [string, RegExp][] = [
      ['postgres://user:canary@127.0.0.1:1/sortie', /DATABASE_URL cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1/],
      [`postgres://sortie:canary@localhost/${database}?${socket}`, /cannot be used: password authentication failed/],
      ['postgres://user:canary@host:port/sortie', /DATABASE_URL must look like postgres:\/\//],
      ['postgres://user:can%zzary@127.0.0.1:1/sortie', /cannot be used: /],
    ];
    await Promise.all(
      addresses.map(async ([url, message]) => {
        const up = startUp({ flags: quietFlags(newDataDir()), env: { DATABASE_URL: url } });
        const { code } = await up.end();
        assert.equal(code, 1);
        assert.match(up.stderr(), message);
        assert.doesNotMatch(up.stderr(), /can%?\w*ary|^\s+at /m);
      }),
    );
  });
});
