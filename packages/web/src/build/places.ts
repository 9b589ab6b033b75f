import path from 'node:path';

const packages = path.resolve(import.meta.dirname, '../../..');

export const packageFolder = path.join(packages, 'web');

/** What the server serves. Not in git; a packed installation has it already. */
export const builtFolder = path.join(packageFolder, 'built');

/** Inside the built folder: the digest of the sources that it was built from. */
export const SOURCES_FILE = '.sources';

/** What the browser runs is made of these. */
export const sourcePlaces = [
  path.join(packageFolder, 'index.html'),
  path.join(packageFolder, 'package.json'),
  path.join(packageFolder, 'public'),
  path.join(packageFolder, 'src'),
  path.join(packages, 'contract/src'),
  path.join(packages, 'report/src'),
];
