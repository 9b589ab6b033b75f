import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { quickImports } from '../loading/bundles.ts';
import { serviceKeys } from './service-keys.ts';

const launcher = path.resolve(import.meta.dirname, '../../../cli/bin/sortie.js');

interface DemoTarget {
  url: string;
  verificationId: string;
}

export interface ReadyLine {
  baseUrl: string;
  opsUrl: string;
  dataDir: string;
  environment: string;
  publicUrl: string | null;
  demo: {
    accountId: string;
    apiKey: string;
    target: DemoTarget | null;
    sandbox: DemoTarget;
    signIn: { email: string; password: string | null; link: string } | null;
  } | null;
}

export interface TestServer extends ReadyLine {
  child: ChildProcess;
  /** Returns everything written to stderr so far. */
  log(): string;
  /** Sends the signal and resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ServerOptions {
  databaseUrl?: string;
  dataDir?: string;
  flags?: string[];
  env?: Record<string, string>;
  /** False where reading the log would distort a measurement. */
  keepLog?: boolean;
}

/** The server refused to start: its output and exit code. */
export class ServerRefused extends Error {
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(exitCode: number | null, stderr: string) {
    super(`the server did not start (exit ${exitCode}): ${stderr}`);
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** Many times the duration of a start on a busy machine. */
const START_MS = 60_000;

/** Servers that a failed test leaves running are killed with its process. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => void child.kill('SIGKILL')));

export function killWithTests(child: ChildProcess): void {
  running.add(child);
  child.once('close', () => running.delete(child));
}

export const newDataDir = () => mkdtemp(path.join(tmpdir(), 'sortie-test-'));

/** Flags of a server on free ports. Runs stay in the queue unless a test adds a worker; later flags win. */
export function flagsFor(dataDir: string, flags: readonly string[] = []): string[] {
  const ports = ['--port', '0', '--ops-port', '0', '--range-port', '0'];
  return [...ports, '--data', dataDir, '--json', '--role', 'api', ...flags];
}

export function environmentFor({ databaseUrl = '', env }: ServerOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: databaseUrl,
    ...serviceKeys,
    // No resolver answers there, so that tests do not depend on real DNS.
    SORTIE_RESOLVERS: '127.0.0.1:1',
    // All tests share one client address; the flood limit has its own tests.
    SORTIE_EDGE_RATE: '100000',
    SORTIE_EDGE_BURST: '100000',
    ...env,
  };
}

/** Starts the real server through its launcher, on free ports. */
export async function startTestServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await newDataDir());
  const child = spawn(process.execPath, [quickImports, launcher, 'up', ...flagsFor(dataDir, options.flags)], {
    env: environmentFor(options),
    stdio: ['ignore', 'pipe', options.keepLog === false ? 'ignore' : 'pipe'],
  }) as ChildProcessByStdio<null, Readable, Readable | null>;
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
  killWithTests(child);
  const giveUp = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const ready = await new Promise<ReadyLine>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line)));
    exited.then((code) => reject(new ServerRefused(code, stderr)), reject);
  });
  clearTimeout(giveUp);
  return {
    ...ready,
    child,
    log: () => stderr,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const code = await exited;
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}
