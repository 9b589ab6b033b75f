import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');

/** Which of our packages each package may import, always through its index. */
const packageEdges: Record<string, readonly string[]> = {
  contract: [],
  engine: ['contract'],
  server: ['contract', 'engine'],
  cli: ['server'],
};

/** In the server: a folder may import the folders below it, never those above. Features are on one floor. */
const serverFloors = [
  [
    'app-error.ts',
    'catalogue.ts',
    'config.ts',
    'log.ts',
    'new-id.ts',
    'run-as.ts',
    'secret.ts',
    'startup-error.ts',
    'system-user.ts',
    'tls.ts',
  ],
  ['db', 'service-secrets.ts'],
  ['jobs', 'ops', 'audit'],
  ['accounts', 'credentials', 'credits', 'keys', 'targets', 'clock', 'starts', 'pentests', 'scans', 'review'],
  ['admin', 'demo', 'http', 'worker'],
  ['app.ts'],
  ['start-server.ts'],
  ['index.ts'],
];

const features = [
  'accounts',
  'audit',
  'clock',
  'credentials',
  'credits',
  'keys',
  'pentests',
  'review',
  'scans',
  'starts',
  'targets',
];

/** Files of a feature that others may import besides its rules, each with its reason. */
const openDoors = new Map([
  ['keys/key-format.ts', 'the gate reads a presented key before it knows of any feature'],
  ['http/route.ts', "a feature's routes.ts names its endpoints with it"],
]);

interface Import {
  from: string;
  specifier: string;
}

const importPattern =
  /^(?:import|export)\b[^;'"]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

const isTest = (file: string) => file.endsWith('.test.ts');
const files = globSync('packages/*/src/**/*.ts', { cwd: root }).sort();
const productFiles = files.filter((file) => !isTest(file));

function importsOf(file: string): Import[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  return [...source.matchAll(importPattern)].map((match) => ({
    from: file,
    specifier: match[1] ?? match[2] ?? match[3] ?? '',
  }));
}

const packageOf = (file: string) => file.split('/')[1] ?? '';
const resolveRelative = ({ from, specifier }: Import) => path.join(path.dirname(from), specifier);
const imports = productFiles.flatMap(importsOf);
const relativeImports = imports.filter(({ specifier }) => specifier.startsWith('.'));
const bareImports = imports.filter(({ specifier }) => !specifier.startsWith('.') && !specifier.startsWith('node:'));

/** The place of a server file on the floors: its folder, or the file itself at the top. */
const roomOf = (file: string) => file.replace('packages/server/src/', '').split('/')[0] ?? '';

function assertNone(violations: readonly string[]): void {
  assert.deepEqual(violations, []);
}

describe('who may import whom', () => {
  it('finds the imports at all', () => {
    assert.ok(files.length > 20 && relativeImports.length > 50 && bareImports.length > 10);
  });

  it('lets a package import only the packages below it, through their index', () => {
    assertNone(
      bareImports
        .filter(({ specifier }) => specifier.startsWith('@sortie/'))
        .filter(({ from, specifier }) => !packageEdges[packageOf(from)]?.includes(specifier.replace('@sortie/', '')))
        .map(({ from, specifier }) => `${from} imports ${specifier}`),
    );
  });

  it('knows every package', () => {
    const packages = new Set(files.map(packageOf));
    assert.deepEqual([...packages].sort(), Object.keys(packageEdges).sort());
  });

  it('lets no product file reach out of its package by a path, nor into a test', () => {
    assertNone(
      relativeImports
        .filter((one) => {
          const target = resolveRelative(one);
          return !target.startsWith(`packages/${packageOf(one.from)}/src/`) || isTest(target);
        })
        .map(({ from, specifier }) => `${from} imports ${specifier}`),
    );
  });

  it('lets no file import the index of its own package', () => {
    assertNone(
      relativeImports
        .filter((one) => /^packages\/[^/]+\/src\/index\.ts$/.test(resolveRelative(one)))
        .map(({ from }) => from),
    );
  });

  it('has every library declared by the package that imports it', () => {
    assertNone(
      bareImports.flatMap(({ from, specifier }) => {
        const library = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/');
        const manifest = JSON.parse(readFileSync(path.join(root, 'packages', packageOf(from), 'package.json'), 'utf8'));
        return library in (manifest.dependencies ?? {}) ? [] : [`${from} imports ${library}`];
      }),
    );
  });

  it('keeps the floors of the server', () => {
    const floorOf = (file: string) => serverFloors.findIndex((rooms) => rooms.includes(roomOf(file)));
    const inServer = relativeImports.filter(({ from }) => packageOf(from) === 'server');
    assertNone(inServer.filter(({ from }) => floorOf(from) < 0).map(({ from }) => `${from} has no floor`));
    assertNone(
      inServer
        .filter((one) => floorOf(resolveRelative(one)) > floorOf(one.from))
        .filter((one) => !openDoors.has(resolveRelative(one).replace('packages/server/src/', '')))
        .map(({ from, specifier }) => `${from} imports ${specifier}`),
    );
  });

  it("lets other rooms import only a feature's rules; its routes and jobs only where the server is wired", () => {
    assertNone(
      relativeImports
        .filter((one) => packageOf(one.from) === 'server' && roomOf(one.from) !== roomOf(resolveRelative(one)))
        .filter((one) => {
          const target = resolveRelative(one).replace('packages/server/src/', '');
          const feature = roomOf(resolveRelative(one));
          if (!features.includes(feature) || openDoors.has(target)) return false;
          const isWiring = ['app.ts', 'start-server.ts'].includes(roomOf(one.from));
          const allowed = [
            `${feature}/${feature}.ts`,
            ...(isWiring ? [`${feature}/routes.ts`, `${feature}/jobs.ts`] : []),
          ];
          return !allowed.includes(target);
        })
        .map(({ from, specifier }) => `${from} imports ${specifier}`),
    );
  });

  it('has no import cycles', () => {
    const graph = Map.groupBy(relativeImports, ({ from }) => from);
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, trail: string[]) => {
      if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
      if (done.has(file) || trail.includes(file)) return;
      for (const one of graph.get(file) ?? []) visit(resolveRelative(one), [...trail, file]);
      done.add(file);
    };
    for (const file of productFiles) visit(file, []);
    assertNone(cycles);
  });

  it('reads the environment only in config.ts', () => {
    assertNone(
      productFiles
        .filter((file) => !file.endsWith('/src/config.ts'))
        .filter((file) => readFileSync(path.join(root, file), 'utf8').includes('process.env')),
    );
  });
});
