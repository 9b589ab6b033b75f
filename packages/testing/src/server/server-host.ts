import { rangeProgram } from '@sortie/range';
import { type RunningServer, startServer, type UpFlags } from '@sortie/server';
import { builtFolder } from '@sortie/web';
import { upCommand } from '../../../cli/src/commands/up.ts';
import type { HostOrder, HostReport, Start } from './hosted-server.ts';

/** Runs servers one after another, each as `sortie up` would, until the test asks for its end. */
let running: RunningServer | undefined;

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
