/**
 * Preloaded into each test file: ends its process some time after its last test. Otherwise a resource that a failed
 * hook leaves open, such as a server, would keep the file running forever without reporting the error.
 */
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { COSTS_VARIABLE, writeCostsAtExit } from '../runner/costs.ts';
import { keepPromiseHook, removePromiseHook } from '../runner/promise-hook.ts';

const LEFT_OPEN_MS = Number(process.env.SORTIE_TEST_LEFT_OPEN_MS ?? 60_000);

function end(): void {
  const open = [...new Set(process.getActiveResourcesInfo())].join(', ');
  console.error(`Ended ${LEFT_OPEN_MS} ms after the last test. Still open: ${open}`);
  process.exit(1);
}

// The test runner and worker threads load this file as well.
const isTestFile = process.env.NODE_TEST_CONTEXT !== undefined && isMainThread;
if (isTestFile) {
  await import('../loading/quick-imports.ts');
  keepPromiseHook(() => after(() => void setTimeout(end, LEFT_OPEN_MS).unref()));
  // A file with a process of its own: its tests are defined when it is loaded. Its own import reports what it throws.
  const [, file = ''] = process.argv;
  const removeHook = () => void setImmediate(removePromiseHook);
  if (file.endsWith('.test.ts')) setImmediate(() => import(pathToFileURL(file).href).then(removeHook, removeHook));
  const costsFile = process.env[COSTS_VARIABLE];
  if (costsFile) writeCostsAtExit(costsFile);
}
