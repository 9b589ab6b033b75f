import { AsyncResource } from 'node:async_hooks';
import path from 'node:path';
import { before, describe } from 'node:test';
import { beginFile } from './costs.ts';
import { removePromiseHook } from './promise-hook.ts';
import { root } from './test-files.ts';

/**
 * Runs test files in this process: most of their CPU time was the start of Node.js and loading the same modules. Each
 * file is a suite, so that its hooks apply to its own tests, and a file that cannot be loaded fails alone.
 */
export function describeFiles(files: readonly string[]): void {
  let loaded: Promise<unknown> = Promise.resolve();
  for (const file of files) {
    describe(file, async () => {
      before(() => beginFile(file));
      // Bound to the suite: otherwise the file's hooks would apply to the tests of all files.
      const load = AsyncResource.bind(() => import(path.join(root, file)));
      // One after another: a module with a top-level await that two files import would run the second in the first's suite.
      const loading = loaded.then(load);
      loaded = loading.catch(() => undefined);
      await loading;
    });
  }
  void loaded.then(() => setImmediate(removePromiseHook));
}
