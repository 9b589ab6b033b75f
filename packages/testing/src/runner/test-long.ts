import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { runFiles } from './run-files.ts';
import { root } from './test-files.ts';

const PATTERNS = ['packages/*/src/**/*.{heavy,long}.test.ts', 'test/**/*.{heavy,long}.test.ts'];
const ALONE = /\.alone\.long\.test\.ts$/;

/** Those that take minutes come first. */
const LONGEST = [
  /range-same-findings/,
  /any-order|overspend|ledger/,
  /start-once/,
  /runs-survive|engine-survives|ownership|real-run|run-scope|packed/,
];
const placeOf = (file: string) => LONGEST.findIndex((pattern) => pattern.test(file)) + 1 || LONGEST.length + 1;

const files = globSync(PATTERNS, { cwd: root }).filter((file) => !ALONE.test(file));
/** Of a file, several of which compete for two cores. */
const TIMEOUT_MS = 2_700_000;

/** They wait for engines and browsers: with fewer at once, a quarter of the CPU time is unused. */
const AT_ONCE = availableParallelism() + 4;

/** `npm run test:long:all`: runs the tests with two sizes at full size, and those that take long. */
await runFiles(
  files.sort((one, other) => placeOf(one) - placeOf(other) || one.localeCompare(other)),
  { timeoutMs: TIMEOUT_MS, listedCosts: 40, atOnce: AT_ONCE },
);
