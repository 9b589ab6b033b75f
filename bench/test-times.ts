/** Prints wall time, CPU time and number of tests of each test file: `node bench/test-times.ts [--jobs N] FILE…`. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '@sortie/testing/database/cluster.ts';
import { quickImports } from '@sortie/testing/loading/bundles.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { jobs: { type: 'string', default: '1' } },
});

/** GNU time, which counts the processes that a test file starts and waits for. */
const TIME = '/usr/bin/time';

async function measure(file: string, folder: string): Promise<string> {
  const times = path.join(folder, file.replaceAll('/', '-'));
  const node = [
    process.execPath,
    quickImports,
    '--import=./packages/testing/src/server/end-with-tests.ts',
    '--test-reporter=junit',
    file,
  ];
  const child = spawn(TIME, ['-o', times, '-f', '%e %U %S', ...node], { stdio: ['ignore', 'pipe', 'inherit'] });
  let report = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    report += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  const measured = (await readFile(times, 'utf8')).trim().split('\n').at(-1) ?? '';
  const [wall = 0, user = 0, system = 0] = measured.split(' ').map(Number);
  const count = (name: string) => new RegExp(`<!-- ${name} (\\d+) -->`).exec(report)?.[1] ?? '?';
  return [wall.toFixed(1), (user + system).toFixed(1), count('tests'), count('fail'), file].join('\t');
}

const folder = await mkdtemp(path.join(tmpdir(), 'sortie-test-times-'));
await globalSetup();
console.log(['wall s', 'CPU s', 'tests', 'failed', 'file'].join('\t'));
const queue = positionals.values();
const work = async () => {
  for (const file of queue) console.log(await measure(file, folder));
};
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
await globalTeardown();
await rm(folder, { recursive: true });
