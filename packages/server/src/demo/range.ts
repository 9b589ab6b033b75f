import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { RANGE_HOST as HOST } from '../ops/check-places.ts';
import { StartupError } from '../startup-error.ts';

export interface Range {
  /** `http://127.0.0.1:4801` */
  origin: string;
  /** What opens exactly this port in the address rule. */
  allowAddress: string;
  stop(): Promise<void>;
}

/**
 * The demo target, in a process of its own. It is vulnerable on purpose, so that process may read nothing but its own
 * program, write nothing and start nothing.
 */
export async function startRange(program: string, port: number): Promise<Range> {
  const folder = path.dirname(program);
  const allowed = [folder, path.join(folder, '../package.json')].map((each) => `--allow-fs-read=${each}`);
  const parameters = ['--permission', '--allow-worker', ...allowed, program, '--port', String(port)];
  const child = spawn(process.execPath, parameters, {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  }) as ChildProcessByStdio<Writable, Readable, null>;
  const ended = once(child, 'close');
  const ready = once(createInterface(child.stdout), 'line');
  const line = await Promise.race([ready.then(([text]) => String(text)), ended.then(() => undefined)]);
  if (line === undefined) {
    throw new StartupError(
      `The demo target cannot listen on ${HOST}:${port}. Choose another port with --range-port, or use --no-demo.`,
    );
  }
  const chosen = (JSON.parse(line) as { port: number }).port;
  return {
    origin: `http://${HOST}:${chosen}`,
    allowAddress: `${HOST}/32:${chosen}`,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
