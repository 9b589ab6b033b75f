/**
 * Builds the published package, in `dist` or the folder given as argument: plain JavaScript and types without
 * dependencies.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contractText } from './contract-text.ts';

const root = path.resolve(import.meta.dirname, '../..');
const dist = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
const { name, version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

const manifest = {
  name,
  version,
  description: 'Client of the Sortie API: scans, pentests and gates',
  license,
  type: 'module',
  engines: { node: '>=22' },
  sideEffects: false,
  exports: { '.': { types: './lib/index.d.ts', default: './lib/index.js' } },
};

const isProduct = (file: string) => !file.endsWith('.test.ts') && path.basename(file) !== 'build';

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
writeFileSync(path.join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
cpSync(path.join(root, 'src'), path.join(dist, 'src'), { recursive: true, filter: isProduct });
writeFileSync(path.join(dist, 'src/contract.ts'), contractText());
cpSync(path.join(root, 'README.md'), path.join(dist, 'README.md'));
cpSync(path.join(root, '../../LICENSE'), path.join(dist, 'LICENSE'));

/** tsc keeps the `.ts` suffix of imports in declaration files, which not every TypeScript version resolves. */
function nameJavaScript(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/(from '\.[^']+)\.ts'/g, "$1.js'"));
}

const config = path.join(dist, 'tsconfig.json');
const extended = path.join(root, 'tsconfig.build.json');
const compilerOptions = { rootDir: 'src', outDir: 'lib' };
writeFileSync(config, JSON.stringify({ extends: extended, compilerOptions, include: ['src'] }));
const { status } = spawnSync('tsc', ['--project', config], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
rmSync(config);
for (const file of globSync('lib/*.d.ts', { cwd: dist })) nameJavaScript(path.join(dist, file));
