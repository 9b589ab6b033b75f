import { spawn } from 'node:child_process';
import path from 'node:path';
import { findTestFiles, root } from './test-files.ts';

/** `npm run test:all`: runs the test files, those that can share a process in two. */
const own = (name: string) => path.join('packages/testing/src', name);

const runner = spawn(
  process.execPath,
  [
    `--import=./${own('server/end-with-tests.ts')}`,
    '--test',
    '--test-concurrency=3',
    // Also for a whole file, and the shared process takes minutes on a busy machine.
    '--test-timeout=600000',
    `--test-global-setup=${own('database/cluster.ts')}`,
    own('runner/shared-process.ts'),
    own('runner/connected-process.ts'),
    ...findTestFiles(root).isolated,
  ],
  { cwd: root, stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => runner.kill(signal));
runner.on('exit', (status) => {
  process.exitCode = status ?? 1;
});
