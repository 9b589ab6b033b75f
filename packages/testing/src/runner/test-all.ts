import { runFiles } from './run-files.ts';
import { findTestFiles, root } from './test-files.ts';

const { isolated, ...groups } = findTestFiles(root);
const processes = [...Object.keys(groups).map((name) => `packages/testing/src/runner/groups/${name}.ts`), ...isolated];

/** Names of groups, or test files, each of which then has a process of its own. */
const chosen = process.argv.slice(2);
const named = chosen.map((name) => (name in groups ? `packages/testing/src/runner/groups/${name}.ts` : name));

/** A group takes many minutes on a busy machine. */
const TIMEOUT_MS = 1_800_000;

/**
 * `npm run test:all`: runs the test files, those that can share a process in groups. The longest group comes first.
 * `npm run test:all -- NAME…` runs some of them, and prints the CPU time of each.
 */
await runFiles(chosen.length > 0 ? named : processes, {
  timeoutMs: TIMEOUT_MS,
  ...(chosen.length > 0 ? { listedCosts: Number.POSITIVE_INFINITY } : {}),
});
