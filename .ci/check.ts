/** `npm run check`: runs Biome, the type checks and knip side by side, and prints what each one says. */
import { spawn } from 'node:child_process';

const checks = ['biome check --error-on-warnings .', 'tsc --noEmit', 'tsc --noEmit --project packages/web', 'knip'];

/** Resolves to whether it succeeded. The output is printed at its end, so that those of several do not mix. */
function run(command: string): Promise<boolean> {
  // npm has put the programs of the dependencies on the path.
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(`${command}${code === 0 ? '' : ` failed (${code})`}\n${output}`);
      resolve(code === 0);
    });
  });
}

const succeeded = await Promise.all(checks.map(run));
if (succeeded.includes(false)) process.exitCode = 1;
