import { runFiles } from './run-files.ts';
import { findTestFiles, root } from './test-files.ts';

const { isolated, ...groups } = findTestFiles(root);

/** A group takes many minutes on a busy machine. */
const TIMEOUT_MS = 1_800_000;

/** `npm run test:all`: runs the test files, those that can share a process in groups. The longest group comes first. */
await runFiles(
  [...Object.keys(groups).map((name) => `packages/testing/src/runner/groups/${name}.ts`), ...isolated],
  TIMEOUT_MS,
);
