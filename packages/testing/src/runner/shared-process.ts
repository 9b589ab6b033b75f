import path from 'node:path';
import { describe } from 'node:test';
import { findTestFiles } from './test-files.ts';

/**
 * Runs test files that need no process of their own in this one: most of their CPU time was the start of Node.js and
 * loading the same modules. Each file is a suite, so that its hooks apply to its own tests, and a file that cannot be
 * loaded fails alone.
 */
const root = path.resolve(import.meta.dirname, '../../../..');

let before: Promise<unknown> = Promise.resolve();
for (const file of findTestFiles(root).shared) {
  describe(file, async () => {
    // One after another: a module with a top-level await that two files import would run the second in the first's suite.
    const loading = before.then(() => import(path.join(root, file)));
    before = loading.catch(() => undefined);
    await loading;
  });
}
