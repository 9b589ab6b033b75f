import { main } from '../../packages/cli/src/main.ts';
import type { CommandOrder, Finished } from './commands.ts';

/** Runs commands of `sortie` one after the other, as its launcher does, and reports what they wrote. */
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
