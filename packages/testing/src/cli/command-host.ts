import { main } from '../../../cli/src/main.ts';
import type { CommandOrder, Finished } from './commands.ts';

/** Runs `sortie` commands one after another, like its launcher, and reports their output. */
const written = { stdout: '', stderr: '' };

for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (text: string | Uint8Array) => {
    written[name] += text;
    return true;
  };
}

process.on('message', async ({ args, env, cwd }: CommandOrder) => {
  process.env = { ...env };
  process.chdir(cwd);
  Object.assign(written, { stdout: '', stderr: '' });
  const exitCode = await main(args);
  // Each command adds its own listeners, and Node.js warns on stderr from the eleventh on.
  for (const name of ['stdout', 'stderr'] as const) process[name].removeAllListeners('error');
  const finished: Finished = { exitCode, ...written };
  process.send?.(finished);
});
