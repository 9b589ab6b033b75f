import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainEnvironment, runAs, type SystemUser } from '../../platform/run-as.ts';
import { type DatabaseFolders, PORT } from './places.ts';

interface SpawnOptions {
  postgres: string;
  places: DatabaseFolders;
  user: SystemUser | undefined;
  settings: Record<string, string>;
}

/** Supervisors usually allow ten seconds. After an immediate shutdown, the next start recovers the database. */
const FAST_SHUTDOWN_MS = 8_000;
/** PostgreSQL itself kills children that do not react within five seconds. */
const IMMEDIATE_SHUTDOWN_MS = 8_000;
const POLL_MS = 20;

/** Spawns the postmaster and returns a promise that resolves when it ends. A failed spawn also counts as an end. */
export function spawnPostmaster({ postgres, places, user, settings }: SpawnOptions): { ended: Promise<void> } {
  const parameters = Object.entries({
    listen_addresses: '',
    port: String(PORT),
    unix_socket_directories: places.socketFolder,
    unix_socket_permissions: '0700',
    // Statements and details would write customer data to the log; the server logs its own errors.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(places.logFile, 'a', 0o600);
  // Detached, because a terminal's signals must not reach the database while requests are still in progress.
  const child = spawn(postgres, ['-D', places.clusterFolder, ...parameters], {
    ...user,
    cwd: '/',
    detached: true,
    env: plainEnvironment,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return { ended };
}

/** Resolves to the process id of the PostgreSQL that runs in this folder; undefined if none does. */
export async function findPostmaster(clusterFolder: string): Promise<number | undefined> {
  const content = await readFile(join(clusterFolder, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  // A negative number in the file is a standalone backend; zero and negative pids would signal process groups.
  if (!(pid > 1)) return undefined;
  return (await isPostmasterOf(pid, clusterFolder)) ? pid : undefined;
}

/** The file may be stale and its pid reused by another process. A dead process has no command line. */
async function isPostmasterOf(pid: number, clusterFolder: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { output } = await runAs(undefined, 'ps', ['-o', 'command=', '-p', String(pid)]);
    return output.includes(`-D ${clusterFolder} `);
  }
  // Root without further capabilities can read only this file of other users' processes.
  const parameters = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  const folder = parameters[parameters.indexOf('-D') + 1];
  if (!parameters.includes('-D') || folder === undefined) return false;
  const [theirs, ours] = await Promise.all([folder, clusterFolder].map((path) => stat(path).catch(() => undefined)));
  return ours !== undefined && theirs?.dev === ours.dev && theirs.ino === ours.ino;
}

/** Stops any postmaster of this cluster, no matter which process started it. Does nothing if none is running. */
export async function stopPostmaster(clusterFolder: string): Promise<void> {
  const pid = await findPostmaster(clusterFolder);
  if (pid === undefined) return;
  signal(pid, 'SIGINT');
  if (await hasEnded(pid, clusterFolder, FAST_SHUTDOWN_MS)) return;
  signal(pid, 'SIGQUIT');
  if (await hasEnded(pid, clusterFolder, IMMEDIATE_SHUTDOWN_MS)) return;
  throw new Error(`the embedded database (process ${pid}) does not stop`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function hasEnded(pid: number, clusterFolder: string, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (await isPostmasterOf(pid, clusterFolder)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
