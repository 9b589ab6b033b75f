import { main } from '../../packages/cli/src/main.ts';
import type { Finished } from './commands.ts';

/** Carries out commands of `sortie` one after the other, as its launcher does, and tells what they wrote. */
const written = { stdout: '', stderr: '' };

for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (text: string | Uint8Array) => {
    written[name] += text;
    return true;
  };
}

process.on('message', async (args: readonly string[]) => {
  Object.assign(written, { stdout: '', stderr: '' });
  const exitCode = await main(args);
  const finished: Finished = { exitCode, ...written };
  process.send?.(finished);
});
