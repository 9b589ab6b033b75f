import { spawn } from 'node:child_process';
import path from 'node:path';
import { findTestFiles, root } from './test-files.ts';

const { isolated, ...groups } = findTestFiles(root);
const own = (name: string) => path.join('packages/testing/src', name);

/** `npm run test:all`: runs the test files, those that can share a process in groups. */
const runner = spawn(
  process.execPath,
  [
    `--import=./${own('server/end-with-tests.ts')}`,
    '--test',
    '--test-concurrency=3',
    // Also for a whole file, and a group takes many minutes on a busy machine.
    '--test-timeout=1800000',
    `--test-global-setup=${own('database/cluster.ts')}`,
    ...Object.keys(groups).map((name) => own(`runner/groups/${name}.ts`)),
    ...isolated,
  ],
  { cwd: root, stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => runner.kill(signal));
runner.on('exit', (status) => {
  process.exitCode = status ?? 1;
});
