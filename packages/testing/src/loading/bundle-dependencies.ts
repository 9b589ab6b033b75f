import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Bundles, bundlesFile } from './bundles.ts';

const root = path.join(import.meta.dirname, '../../../..');

/**
 * Dependencies of many files: hundreds of modules, which take longer to find and link than to run. Not undici, whose
 * bundle does not refuse CONNECT requests.
 */
const DEPENDENCIES = [
  '@platformatic/prom-client',
  'commander',
  'fastify',
  'graphql',
  'ipaddr.js',
  'kysely',
  'parse5',
  'pg',
  'pino',
  'tldts',
  'yaml',
  'zod',
];

/**
 * Bundles these dependencies into one file each, for the test processes that preload `quick-imports.ts`. Does nothing
 * if the bundles of the installed versions exist.
 */
export async function bundleDependencies(): Promise<void> {
  const key = createHash('sha256');
  for (const file of [path.join(root, 'package-lock.json'), import.meta.filename]) key.update(await readFile(file));
  const folder = path.join(path.dirname(bundlesFile), `dependencies-${key.digest('hex').slice(0, 16)}`);
  const bundles: Bundles = Object.fromEntries(
    DEPENDENCIES.map((name) => [name, pathToFileURL(path.join(folder, `${fileNameOf(name)}.js`)).href]),
  );
  const text = JSON.stringify(bundles);
  if ((await readFile(bundlesFile, 'utf8').catch(() => undefined)) === text) return;
  // Test runs at the same time see either all bundles or none: each builds its own, and the first one is kept.
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  await writeFile(path.join(unfinished, 'package.json'), '{ "type": "module" }');
  await bundle(unfinished);
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  await writeFile(`${bundlesFile}.${process.pid}`, text);
  await rename(`${bundlesFile}.${process.pid}`, bundlesFile);
}

async function bundle(folder: string): Promise<void> {
  // Takes longer to load than the bundles, which mostly exist.
  const { build } = await import('rolldown');
  const entries = new Map<string, string>();
  for (const name of DEPENDENCIES) entries.set(path.join(root, `${fileNameOf(name)}.mjs`), await reExport(name));
  await build({
    cwd: root,
    input: Object.fromEntries(
      DEPENDENCIES.map((name) => [fileNameOf(name), path.join(root, `${fileNameOf(name)}.mjs`)]),
    ),
    platform: 'node',
    treeshake: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 're-exports',
        resolveId: (id) => (entries.has(id) ? id : null),
        load: (id) => entries.get(id) ?? null,
      },
    ],
    output: { dir: folder, format: 'esm' },
  });
}

/** Exports the same names as Node.js does, which finds those of a CommonJS module by reading its text. */
async function reExport(name: string): Promise<string> {
  const exported = Object.keys(await import(name));
  if (!exported.includes('module.exports')) return `export { ${exported.join(', ')} } from '${name}';`;
  const names = exported.filter((each) => each !== 'default' && each !== 'module.exports');
  const constants = names.map((each) => `export const ${each} = whole.${each};`);
  return [`import whole from '${name}';`, 'export default whole;', ...constants].join('\n');
}

const fileNameOf = (name: string) => name.replaceAll(/\W/g, '-');
