import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { thingsToTry } from '@sortie/testing/inside/cli.ts';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import type { ReadyLine } from '@sortie/testing/server/server.ts';
import { killLeftovers, quietFlags, startUp, type Up } from '@sortie/testing/server/up.ts';

const root = path.resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

let folder: TestFolder;
let elsewhere: string;
let launcher: string;

before(async () => {
  folder = await createTestFolder();
  elsewhere = path.join(folder.root, 'elsewhere');
  await mkdir(elsewhere);
  await execute('npm', ['run', 'pack', '--', folder.root], { cwd: root, timeout: 300_000 });
  const { version } = JSON.parse(await readFile(path.join(root, 'packages/cli/package.json'), 'utf8'));
  const packed = path.join(folder.root, `sortie-cli-${version}.tgz`);
  await execute('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', packed], {
    cwd: elsewhere,
    timeout: 600_000,
  });
  launcher = path.join(elsewhere, 'node_modules/.bin/sortie');
});

after(async () => {
  killLeftovers();
  await folder.remove();
});

const sortie = (...parameters: string[]) =>
  execute(process.execPath, [launcher, ...parameters], { cwd: elsewhere, timeout: 120_000 });

interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

const shell = (text: string) =>
  new Promise<Ended>((done) => {
    execFile('sh', ['-c', text], { cwd: elsewhere, timeout: 300_000 }, (error, stdout, stderr) =>
      done({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

describe('the packed command line, installed into an empty folder', () => {
  let server: Up;
  let ready: ReadyLine;
  before(async () => {
    server = startUp({ flags: quietFlags(folder.data), launcher });
    ready = await server.ready();
  });

  it('has the dashboard already built', async () => {
    const answer = await fetch(`${ready.baseUrl}/`, { headers: { accept: 'text/html' } });
    const page = await answer.text();
    assert.equal(answer.status, 200, page);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? assert.fail(page);
    assert.equal((await fetch(ready.baseUrl + script)).status, 200);
  });
  after(() => server.end('SIGTERM'));

  it('is found by npx, and has JavaScript only', async () => {
    const { stdout } = await execute('npx', ['--no-install', 'sortie', '--version'], { cwd: elsewhere });
    assert.match(stdout, /^\d+\.\d+\.\d+$/m);
    const { stdout: files } = await execute('find', [path.join(elsewhere, 'node_modules/@sortie'), '-name', '*.ts']);
    assert.equal(files, '');
  });

  it('scans without a server, with every check there is', async () => {
    assert.ok(ready.demo?.target);
    const { host } = new URL(ready.demo.target.url);
    const allowed = host.replace(':', '/32:');
    const scan = ['scan', ready.demo.target.url, '--local', '--allow-address', allowed];
    const source = await execute(process.execPath, ['packages/cli/bin/sortie.js', ...scan], { cwd: root });
    const packed = await sortie(...scan);
    const [expected, found] = [source, packed].map(({ stdout }) => /^Checks +\d{3} run .*$/m.exec(stdout)?.[0]);
    assert.ok(expected);
    assert.equal(found, expected);
  });

  it('runs the service: what its start says to try works as it is printed', async () => {
    assert.ok(ready.demo?.target);
    const lines = thingsToTry({ ...ready.demo, baseUrl: ready.baseUrl });
    const settings = lines.filter((line) => line.startsWith('export '));
    const outcomes = [];
    for (const line of lines.slice(settings.length)) {
      outcomes.push(await shell([...settings, line].join('\n')));
    }
    const [scanned, gated, credits] = outcomes;
    assert.match(scanned?.stdout ?? '', /^Score +\d+ of 100/m);
    // The demo target has flaws, and its gate fails for them.
    assert.deepEqual([scanned?.exitCode, gated?.exitCode, credits?.exitCode], [0, 1, 0], gated?.stderr);
    assert.match(gated?.stdout ?? '', /SQL injection/);
  });

  it('operates it', async () => {
    const { stdout } = await sortie('demo', 'status', '--data', folder.data, '--json');
    assert.equal(JSON.parse(stdout).running, true);
    const { stdout: accounts } = await sortie('admin', '--data', folder.data, 'account', 'list');
    assert.match(accounts, new RegExp(ready.demo?.accountId ?? ''));
  });
});
