/**
 * Writes what can be installed elsewhere: `npm run pack` into this folder, `npm run pack -- FOLDER` into another. Node
 * strips no types below node_modules, so everything is compiled; our own packages travel inside the command line's.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

type Versions = Record<string, string>;

interface Manifest {
  name: string;
  version: string;
  license: string;
  type: string;
  bin?: Versions;
  dependencies?: Versions;
  optionalDependencies?: Versions;
}

const root = path.resolve(import.meta.dirname, '..');
const OURS = '@sortie/';
/** As bin/sortie.js asks for. */
const NODE = '>=24.12';

const folderOf = (name: string) => path.join(root, 'packages', name.slice(OURS.length));
const run = (program: string, ...parameters: string[]) =>
  execFileSync(program, parameters, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });

function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(path.join(folderOf(name), 'package.json'), 'utf8'));
}

/** The package itself, and those of ours that it needs, directly or not. */
function closureOf(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const needed = Object.keys(readManifest(name).dependencies ?? {}).filter((each) => each.startsWith(OURS));
  for (const each of needed) closureOf(each, found);
  return found;
}

/** Of all packages together; what two of them want must be the same. */
function mergeVersions(lists: readonly (Versions | undefined)[]): Versions {
  const merged: Versions = {};
  for (const [name, version] of lists.flatMap((list) => Object.entries(list ?? {}))) {
    if ((merged[name] ?? version) !== version) throw new Error(`${name} is wanted as ${merged[name]} and ${version}`);
    merged[name] = version;
  }
  return Object.fromEntries(Object.entries(merged).sort(([left], [right]) => left.localeCompare(right)));
}

const notCopied = /\.tsx?$|^tsconfig.*\.json$|^(?:package\.json|node_modules|dist|bin|app|public)$/;

/** What was compiled, what needs no compiler, and who it is. */
function stage(name: string, compiled: string, destination: string, manifest: object): void {
  cpSync(folderOf(name), destination, { recursive: true, filter: (file) => !notCopied.test(path.basename(file)) });
  cpSync(path.join(compiled, name.slice(OURS.length)), destination, { recursive: true });
  cpSync(path.join(root, 'LICENSE'), path.join(destination, 'LICENSE'));
  writeFileSync(path.join(destination, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

function packCommandLine(workFolder: string): string {
  const name = `${OURS}cli`;
  const [, ...bundled] = closureOf(name);
  const manifests = [name, ...bundled].map(readManifest);
  const { version, license, type, bin } = readManifest(name);
  const compiled = path.join(workFolder, 'compiled');
  run('npm', 'run', 'build', '--workspace', `${OURS}web`);
  run('tsc', '--project', 'tsconfig.pack.json', '--outDir', compiled);
  const destination = path.join(workFolder, 'cli');
  stage(name, compiled, destination, {
    name,
    version,
    description: 'Passive scans and AI pentests as a self-hosted service',
    license,
    type,
    bin,
    engines: { node: NODE },
    dependencies: mergeVersions(manifests.map(({ dependencies }) => dependencies)),
    optionalDependencies: mergeVersions(manifests.map(({ optionalDependencies }) => optionalDependencies)),
    bundleDependencies: bundled,
  });
  for (const each of bundled) {
    const manifest = { name: each, version, license, type, exports: './src/index.js' };
    stage(each, compiled, path.join(destination, 'node_modules', each), manifest);
  }
  return destination;
}

/** It has a build of its own, which leaves a whole package in the folder it is given. */
function packClient(workFolder: string): string {
  const destination = path.join(workFolder, 'sdk');
  run('npm', 'run', 'build', '--workspace', `${OURS}sdk`, '--', destination);
  return destination;
}

const target = path.resolve(process.argv[2] ?? '.');
const workFolder = mkdtempSync(path.join(tmpdir(), 'sortie-pack-'));
try {
  for (const folder of [packCommandLine(workFolder), packClient(workFolder)]) {
    run('npm', 'pack', folder, '--pack-destination', workFolder);
  }
  for (const file of readdirSync(workFolder).filter((each) => each.endsWith('.tgz'))) {
    cpSync(path.join(workFolder, file), path.join(target, file));
    process.stdout.write(`${path.join(target, file)}\n`);
  }
} finally {
  rmSync(workFolder, { recursive: true });
}
