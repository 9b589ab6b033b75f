import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { rangeProgram } from '@sortie/range';
import { type RunningServer, startServer, type UpFlags } from '@sortie/server';
import { builtFolder } from '@sortie/web';
import { upCommand } from '../../../cli/src/commands/up.ts';
import type { HostOrder, HostReport, Start } from './hosted-server.ts';

/** Runs servers one after another, each as `sortie up` would, until the test asks for its end. */
let running: RunningServer | undefined;

/**
 * A hash of a password takes a tenth of a second of CPU time by intention. Here it takes next to nothing; servers with a
 * process of their own, such as all in the long suite, take their time.
 */
const { scrypt } = crypto;
crypto.scrypt = ((password, salt, length, options, done) =>
  scrypt(password, salt, length, { ...options, N: 2 }, done)) as typeof scrypt;
syncBuiltinESMExports();

const report = (what: HostReport) => process.send?.(what);

async function start({ flags, env }: Start): Promise<void> {
  process.env = { ...env };
  const ending = new AbortController();
  // `sortie up` would end as well.
  ending.signal.addEventListener('abort', () => {
    console.error(ending.signal.reason);
    process.exit(1);
  });
  const command = upCommand().action(async ({ json: _, ...given }: UpFlags & { json?: boolean }) => {
    running = await startServer(given, ending, { rangeProgram, dashboardFolder: builtFolder });
  });
  await command.parseAsync(flags, { from: 'user' });
  if (running) report({ ready: JSON.parse(JSON.stringify(running)) });
}

async function stop(lastWords: string): Promise<void> {
  await running?.stop();
  // Each server adds its own, and Node.js warns on stderr from the eleventh on.
  process.removeAllListeners('uncaughtException');
  process.stderr.removeAllListeners('error');
  process.stderr.write(lastWords, () => report({ stopped: true }));
}

process.on('message', (order: HostOrder) => ('stop' in order ? stop(order.stop) : start(order.start)));
