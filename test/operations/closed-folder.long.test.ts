import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '@sortie/testing/http/call.ts';
import { readDatabaseFile, runAs } from '@sortie/testing/inside/server.ts';
import type { ReadyLine } from '@sortie/testing/server/server.ts';

const root = path.resolve(import.meta.dirname, '../..');
const asRoot = process.getuid?.() === 0;
/** An ordinary user that nobody has to create. */
const ordinary = { uid: 65_534, gid: 65_534 };
/** Many times what it takes on a busy machine. */
const PATIENCE_MS = 240_000;

const running = new Set<Service>();
const folders: string[] = [];

after(async () => {
  await Promise.all([...running].map(({ stop }) => stop()));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** A folder like root's own home, which only its owner can enter. */
async function makeClosedFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sortie-closed-'));
  folders.push(folder);
  return folder;
}

/** A copy of this clone, by links where the file system allows it. */
async function cloneTo(folder: string): Promise<string> {
  const clone = path.join(folder, 'sortie');
  await mkdir(clone, { mode: 0o755 });
  const sources = ['package.json', 'packages', 'node_modules'].map((name) => path.join(root, name));
  const linked = await runAs(undefined, 'cp', ['-al', ...sources, clone]);
  const copied = linked.code === 0 ? linked : await runAs(undefined, 'cp', ['-a', ...sources, clone]);
  assert.equal(copied.code, 0, copied.output);
  return clone;
}

interface Service {
  ready: ReadyLine;
  log(): string;
  stop(): Promise<void>;
}

async function startService(clone: string, home: string, user?: typeof ordinary): Promise<Service> {
  const program = process.execPath.startsWith(root + path.sep)
    ? path.join(clone, path.relative(root, process.execPath))
    : process.execPath;
  const flags = ['--port', '0', '--range-port', '0', '--ops-port', '0', '--data', path.join(home, 'data'), '--json'];
  const child = spawn(program, [path.join(clone, 'packages/cli/bin/sortie.js'), 'up', ...flags], {
    cwd: clone,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const closed = new Promise<void>((resolve, reject) => child.once('close', () => resolve()).once('error', reject));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    closed.then(() => reject(new Error(`the service did not start: ${log}`)), reject);
  });
  const service: Service = {
    ready: JSON.parse(line),
    log: () => log,
    async stop() {
      child.kill('SIGTERM');
      await closed;
      running.delete(service);
    },
  };
  running.add(service);
  return service;
}

/** Starts it at this address of the API, and answers what it has become once it is over. */
async function carryOut({ ready: { baseUrl, demo }, log }: Service, place: string, body: object) {
  const key = demo?.apiKey ?? '';
  const headers = { 'idempotency-key': `closed-folder${place.replaceAll('/', '-')}` };
  const started = await call(`${baseUrl}${place}`, { method: 'POST', key, headers, body });
  assert.equal(started.status, 201, started.text);
  const url = `${baseUrl}${place}/${started.body?.id ?? started.body?.scanId}`;
  for (const giveUpAt = performance.now() + PATIENCE_MS; performance.now() < giveUpAt; await sleep(500)) {
    const { body: now, text } = await call(url, { key });
    const { text: findings } = await call(`${url}/findings`, { key });
    if (/"status":"(?:COMPLETED|FAILED|CANCELLED)"/.test(text)) return { ...now, text, findings };
  }
  throw new Error(`${url} is not over: ${log()}`);
}

async function assertWorks(service: Service): Promise<void> {
  const { url, verificationId } = service.ready.demo?.target ?? assert.fail('there is no demo target');
  const scan = await carryOut(service, '/v1/scans', { url });
  assert.match(scan.text, /"score":\d+/, scan.text);
  const pentest = await carryOut(service, '/v1/pentests', { targetUrl: url, verificationId, depth: 'LEAD' });
  assert.match(pentest.text, /"status":"COMPLETED"/, `${pentest.text}\n${service.log()}`);
  assert.match(pentest.findings, /CWE-89/, 'it has sent requests');
  assert.match(pentest.findings, /CWE-79/, 'its browser has run scripts');
  assert.doesNotMatch(service.log(), /internal error/);
  await service.stop();
}

describe('a clone works, with a scan and a pentest of the demo target', () => {
  const itAsRoot = asRoot ? it : () => undefined;

  itAsRoot('for root in a folder that other users cannot enter', async () => {
    const folder = await makeClosedFolder();
    const service = await startService(await cloneTo(folder), folder);
    await assertWorks(service);
    const file = await readDatabaseFile(path.join(folder, 'data'));
    if (file?.databaseFolder) folders.push(file.databaseFolder);
  });

  it('for an ordinary user', async () => {
    const folder = await makeClosedFolder();
    const home = path.join(folder, 'home');
    await mkdir(home, { mode: 0o700 });
    if (!asRoot) return assertWorks(await startService(root, home));
    await chmod(folder, 0o755);
    await chown(home, ordinary.uid, ordinary.gid);
    await assertWorks(await startService(await cloneTo(folder), home, ordinary));
  });
});
