import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rangeProgram } from './index.ts';

const LIMIT_MS = 60_000;
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function firstLine(stream: Readable | null): Promise<string> {
  assert.ok(stream);
  const [line] = await once(createInterface({ input: stream }), 'line', { signal: AbortSignal.timeout(LIMIT_MS) });
  return line;
}

async function startRange(...args: string[]) {
  const child = spawn(process.execPath, [rangeProgram, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  started.push(child);
  const { port } = JSON.parse(await firstLine(child.stdout));
  return { child, port: Number(port) };
}

const exit = (child: ChildProcess) => once(child, 'exit', { signal: AbortSignal.timeout(LIMIT_MS) });

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

describe('the program of the range', () => {
  it('says its port once it can be visited, and serves the token that it was given', async () => {
    const { port } = await startRange('--port', '0', '--verification', 'token-2');
    const answer = await fetch(`http://127.0.0.1:${port}/.well-known/sortie-verification.txt`);
    assert.equal((await answer.text()).trim(), 'token-2');
  });

  it('publishes another token when its parent gives one', async () => {
    const { child, port } = await startRange('--port', '0', '--verification', 'token-2');
    const answer = firstLine(child.stdout);
    child.stdin?.write('token-3\n');
    assert.deepEqual(JSON.parse(await answer), { published: 'token-3' });
    const file = await fetch(`http://127.0.0.1:${port}/.well-known/sortie-verification.txt`);
    assert.equal((await file.text()).trim(), 'token-3');
    assert.match(await (await fetch(`http://127.0.0.1:${port}/`)).text(), /sortie-verification" content="token-3"/);
  });

  it('listens on loopback only', async () => {
    const { port } = await startRange();
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, scopeid }) => !internal && !scopeid)
      .map(({ address }) => address);
    assert.ok(await canConnect('127.0.0.1', port));
    // Other loopback addresses are refused, too; every machine has 127.0.0.2.
    for (const address of ['127.0.0.2', ...others]) assert.equal(await canConnect(address, port), false, address);
  });

  it('has all areas when it is told to, with no more rights than to read its own program', async () => {
    const rights = ['--permission', '--allow-worker', `--allow-fs-read=${import.meta.dirname}`];
    const child = spawn(process.execPath, [...rights, rangeProgram, '--whole'], { stdio: ['pipe', 'pipe', 'ignore'] });
    started.push(child);
    const { port } = JSON.parse(await firstLine(child.stdout));
    const origin = `http://127.0.0.1:${port}`;
    const ping = await fetch(`${origin}/tools/ping?host=${encodeURIComponent('x; expr 6 \\* 7')}`);
    assert.match(await ping.text(), /^42$/m);
    assert.equal((await fetch(`${origin}/app/front.js`)).status, 200);
  });

  it('ends when its input closes', async () => {
    const { child } = await startRange();
    const ended = exit(child);
    child.stdin?.end();
    assert.deepEqual(await ended, [0, null]);
  });

  it('ends at once without anybody at its input', async () => {
    const child = spawn(process.execPath, [rangeProgram], { stdio: 'ignore' });
    started.push(child);
    assert.deepEqual(await exit(child), [0, null]);
  });

  it('ends when it is told to', async () => {
    const { child } = await startRange();
    const ended = exit(child);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });

  it('is ended when injected SQL keeps it busy', async () => {
    const { child, port } = await startRange();
    const ended = exit(child);
    const tables = Array.from({ length: 14 }, (_, index) => `product p${index}`).join(', ');
    const category = encodeURIComponent(`x' or (select count(*) from ${tables}) -- `);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/products?category=${category}`));
    assert.deepEqual(await ended, [null, 'SIGKILL']);
  });

  it('ends with a parent that was killed', async () => {
    const program = `
      const { spawn } = require('node:child_process');
      const range = spawn(process.execPath, [${JSON.stringify(rangeProgram)}], { stdio: ['pipe', 'inherit', 'ignore'] });
      process.stderr.write(range.pid + '\\n');`;
    const parent = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
    started.push(parent);
    const [ready, pid] = await Promise.all([firstLine(parent.stdout), firstLine(parent.stderr)]);
    const { port } = JSON.parse(ready);
    assert.ok(await canConnect('127.0.0.1', port));
    parent.kill('SIGKILL');
    const until = Date.now() + LIMIT_MS;
    while (isAlive(Number(pid)) && Date.now() < until) await sleep(20);
    assert.equal(await canConnect('127.0.0.1', port), false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
