import path from 'node:path';
import { describe } from 'node:test';
import { root } from './test-files.ts';

/**
 * Runs test files in this process: most of their CPU time was the start of Node.js and loading the same modules. Each
 * file is a suite, so that its hooks apply to its own tests, and a file that cannot be loaded fails alone.
 */
export function describeFiles(files: readonly string[]): void {
  let before: Promise<unknown> = Promise.resolve();
  for (const file of files) {
    describe(file, async () => {
      // One after another: a module with a top-level await that two files import would run the second in the first's suite.
      const loading = before.then(() => import(path.join(root, file)));
      before = loading.catch(() => undefined);
      await loading;
    });
  }
}
