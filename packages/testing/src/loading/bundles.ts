import path from 'node:path';

/** The URL of each bundled dependency, by its name. */
export type Bundles = Record<string, string>;

export const bundlesFile = path.join(import.meta.dirname, '../../../../node_modules/.cache/sortie-tests/bundles.json');

/** Flag of Node.js for a process that loads the code of this repository. */
export const quickImports = `--import=${path.join(import.meta.dirname, 'quick-imports.ts')}`;
