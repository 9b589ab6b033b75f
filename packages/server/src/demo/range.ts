import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { StartupError } from '../errors/startup-error.ts';
import { RANGE_HOST as HOST } from '../ops/check-places.ts';
import { claimUsers } from '../platform/own-users.ts';
import { isRoot, type SystemUser } from '../platform/run-as.ts';
import { ensureSystemUser } from '../platform/system-user.ts';

/** Used if no exclusive system user is available. */
const SHARED_USER = 'sortie-range';
/** Far longer than publishing takes on a busy machine. */
const PUBLISH_MS = 30_000;

export interface Range {
  /** `http://127.0.0.1:4801` */
  origin: string;
  /** The entry that allows exactly this port in the address rule. */
  allowAddress: string;
  /** Resolves once the demo target serves the token as its proof of ownership, in place of an earlier one. */
  publish(token: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the demo target as a process of its own. The target is vulnerable on purpose, so its process can read only its
 * own program, cannot write files or start processes, and never runs as root.
 */
export async function startRange(program: string, port: number): Promise<Range> {
  const folder = path.dirname(program);
  const allowed = [folder, path.join(folder, '../package.json')].map((each) => `--allow-fs-read=${each}`);
  const users = await claimUsers(1);
  const user = users?.take() ?? (isRoot() ? await shareUser() : undefined);
  const asUser = user ? ['--user', `${user.uid}:${user.gid}`] : [];
  const parameters = ['--permission', '--allow-worker', ...allowed, program, '--port', String(port), ...asUser];
  const child = spawn(process.execPath, parameters, {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  }) as ChildProcessByStdio<Writable, Readable, null>;
  const ended = once(child, 'close');
  const lines = createInterface(child.stdout);
  const ready = once(lines, 'line');
  child.once('close', () => users?.release());
  const line = await Promise.race([ready.then(([text]) => String(text)), ended.then(() => undefined)]);
  if (line === undefined) {
    throw new StartupError(
      `The demo target cannot listen on ${HOST}:${port}. Choose another port with --range-port, or use --no-demo.`,
    );
  }
  // Publishes one token at a time, because an answer does not say to which token it belongs.
  let last: Promise<unknown> = Promise.resolve();
  const chosen = (JSON.parse(line) as { port: number }).port;
  return {
    origin: `http://${HOST}:${chosen}`,
    allowAddress: `${HOST}/32:${chosen}`,
    publish(token) {
      const published = last.then(async () => {
        const answered = once(lines, 'line', { signal: AbortSignal.timeout(PUBLISH_MS) });
        child.stdin.write(`${token}\n`);
        await answered;
      });
      last = published.catch(() => undefined);
      return published;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

async function shareUser(): Promise<SystemUser> {
  const user = await ensureSystemUser(SHARED_USER);
  if (user) return user;
  throw new StartupError(
    `The demo target must not run as root. Create a user for it with "useradd --system --user-group ${SHARED_USER}", ` +
      'or use --no-demo.',
  );
}
