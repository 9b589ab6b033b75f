import { pathToFileURL } from 'node:url';
import { main } from '../../../cli/src/main.ts';
import type { CommandOrder, Finished } from './commands.ts';

/** Runs `sortie` commands or other programs one after another, as processes of their own would, and reports their output. */
const written = { stdout: '', stderr: '' };

for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (text: string | Uint8Array) => {
    written[name] += text;
    return true;
  };
}

let loaded = 0;

async function load(module: string): Promise<number> {
  process.exitCode = 0;
  await import(`${pathToFileURL(module)}?${++loaded}`);
  const exitCode = Number(process.exitCode);
  process.exitCode = 0;
  return exitCode;
}

process.on('message', async ({ args, env, cwd, module }: CommandOrder) => {
  process.env = { ...env };
  process.chdir(cwd);
  Object.assign(written, { stdout: '', stderr: '' });
  const exitCode = module ? await load(module) : await main(args);
  // Each command adds its own listeners, and Node.js warns on stderr from the eleventh on.
  for (const name of ['stdout', 'stderr'] as const) process[name].removeAllListeners('error');
  const finished: Finished = { exitCode, ...written };
  process.send?.(finished);
});
