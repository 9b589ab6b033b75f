import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { quickImports } from '../loading/bundles.ts';
import {
  environmentFor,
  flagsFor,
  killWithTests,
  newDataDir,
  type ReadyLine,
  type ServerOptions,
  ServerRefused,
  type TestServer,
} from './server.ts';

export interface Start {
  flags: string[];
  env: NodeJS.ProcessEnv;
}

/** `stop` is the last line that the server's log gets. */
export type HostOrder = { start: Start } | { stop: string };

export type HostReport = { ready: ReadyLine } | { stopped: true };

const idle: ChildProcess[] = [];

/**
 * Starts a server in a process that earlier servers of this test process have used: loading the code, and running it
 * for the first time, takes most of the time of a short test. Tests of signals, of the environment of processes and of
 * exit codes need `startTestServer`.
 */
export async function startHostedServer(options: Omit<ServerOptions, 'dataDir' | 'keepLog'>): Promise<TestServer> {
  const dataDir = await newDataDir();
  const host = idle.pop() ?? startHost();
  keepAlive(host);
  let log = '';
  const collect = (chunk: string) => {
    log += chunk;
  };
  host.stderr?.on('data', collect);
  host.send({ start: { flags: flagsFor(dataDir, options.flags), env: environmentFor(options) } } satisfies HostOrder);
  const ready = await reportOf(host).catch((error: unknown) => {
    throw error instanceof HostEnded ? new ServerRefused(host.exitCode, log) : error;
  });
  if (!('ready' in ready)) throw new Error('the host of the server is out of step');

  async function stop(): Promise<number> {
    const lastLine = `${randomUUID()}\n`;
    host.send({ stop: lastLine } satisfies HostOrder);
    await reportOf(host);
    while (!log.endsWith(lastLine)) await once(host.stderr ?? host, 'data');
    host.stderr?.off('data', collect);
    release(host);
    return 0;
  }
  let ended: Promise<number | null> | undefined;
  return {
    ...ready.ready,
    child: host,
    log: () => log,
    async stop(signal) {
      ended ??= signal === 'SIGKILL' ? kill(host) : stop();
      const code = await ended;
      await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

class HostEnded extends Error {}

/** Resolves to the next report of the host. */
async function reportOf(host: ChildProcess): Promise<HostReport> {
  const waiting = new AbortController();
  const ended = once(host, 'close', waiting).then(([code]) => {
    throw new HostEnded(`the server ended with ${code}`);
  });
  const reported = once(host, 'message', waiting).then(([message]) => message as HostReport);
  try {
    return await Promise.race([reported, ended]);
  } finally {
    waiting.abort();
    await Promise.allSettled([reported, ended]);
  }
}

async function kill(host: ChildProcess): Promise<number | null> {
  if (host.exitCode === null && host.signalCode === null) {
    const closed = once(host, 'close');
    host.kill('SIGKILL');
    await closed;
  }
  return host.exitCode;
}

function startHost(): ChildProcess {
  const host = fork(path.join(import.meta.dirname, 'server-host.ts'), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Other modules that the test runner preloads are not for servers.
    execArgv: [quickImports],
  });
  host.stderr?.setEncoding('utf8');
  killWithTests(host);
  return host;
}

/** An idle host does not keep the test process running, and ends with it. */
function release(host: ChildProcess): void {
  for (const handle of handlesOf(host)) handle?.unref();
  idle.push(host);
}

function keepAlive(host: ChildProcess): void {
  for (const handle of handlesOf(host)) handle?.ref();
}

const handlesOf = (host: ChildProcess) => [host, host.channel, host.stderr as Socket | null];
