import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');

/** Which of our packages each package may import, always through its index. */
const packageEdges: Record<string, readonly string[]> = {
  contract: [],
  engine: ['contract'],
  server: ['contract', 'engine', 'report'],
  sdk: ['contract'],
  report: ['contract'],
  cli: ['contract', 'engine', 'range', 'report', 'sdk', 'server', 'web'],
  range: [],
  // Its code for browsers is bundled; the rest builds the bundle and tells where it is.
  web: ['contract', 'report', 'sdk'],
};

/** In the server: a folder may import the folders below it, never those above. Features are on one floor. */
const serverFloors = [
  ['errors'],
  ['billing', 'platform'],
  ['config'],
  ['db', 'secrets'],
  ['jobs', 'ops', 'audit', 'egress', 'outside'],
  [
    'accounts',
    'credentials',
    'credits',
    'devices',
    'flaws',
    'keys',
    'live',
    'mail',
    'models',
    'targets',
    'clock',
    'starts',
    'pentests',
    'retests',
    'scans',
    'signing',
    'review',
    'sandbox',
  ],
  ['admin', 'demo', 'http', 'worker'],
  ['dashboard'],
  ['identity'],
  ['app.ts', 'doctor'],
  ['start-server.ts'],
  ['index.ts'],
];

/** In the engine, likewise: from the messages of a run up to the process that runs it. */
const engineFloors = [
  ['html', 'protocol'],
  ['faults', 'target'],
  ['http'],
  ['browser', 'evidence'],
  ['crawl', 'ownership', 'passive'],
  // `oracle` compares responses with the readers of `crawl`, which knows nothing of it.
  ['oracle', 'login'],
  ['active', 'agent', 'scan'],
  ['pentest'],
  ['process', 'reference'],
  ['index.ts'],
];

/** In the command line, likewise. */
const cliFloors = [
  ['command-path.ts', 'launcher.ts', 'terminal', 'things-to-try.ts', 'version.ts'],
  ['settings'],
  ['api'],
  ['pentest'],
  ['commands'],
  ['main.ts'],
];

/** Inside the larger folders of the engine, likewise. Files beside these folders are not on a floor. */
const innerFloors: Record<string, readonly (readonly string[])[]> = {
  http: [['exchange'], ['limits', 'record'], ['connection'], ['send']],
  crawl: [['effect', 'inventory'], ['requests'], ['readers'], ['frontier']],
  active: [['texts'], ['shared'], ['labs'], ['checks']],
  login: [['session'], ['find'], ['proof'], ['ways'], ['account.ts', 'enter.ts', 'log-in.ts', 'trials.ts']],
  pentest: [
    ['seen', 'side-effects'],
    ['run'],
    ['discovery'],
    ['testing'],
    ['planner'],
    ['attempt.ts', 'run-pentest.ts', 'summary.ts'],
  ],
};

const features = [
  'accounts',
  'audit',
  'clock',
  'credentials',
  'credits',
  'devices',
  'egress',
  'flaws',
  'keys',
  'live',
  'mail',
  'models',
  'outside',
  'pentests',
  'retests',
  'review',
  'sandbox',
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
const allFiles = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).sort();
const files = allFiles.filter((file) => !file.startsWith('packages/testing/'));
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
/** What the build makes, named `virtual:`, is no library. */
const bareImports = imports.filter(({ specifier }) => !/^(?:\.|node:|virtual:)/.test(specifier));

/** The unit of a package that has a floor: a folder, or a file beside the folders. */
const unitOf = (file: string) => file.split('/')[3] ?? '';

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
        // The bundle contains what it imports, so that an installation needs none of it.
        const declared = packageOf(from) === 'web' ? manifest.devDependencies : manifest.dependencies;
        return library in (declared ?? {}) ? [] : [`${from} imports ${library}`];
      }),
    );
  });

  for (const [name, floors] of Object.entries({ server: serverFloors, engine: engineFloors, cli: cliFloors })) {
    it(`keeps the floors of the ${name}`, () => {
      const floorOf = (file: string) => floors.findIndex((units) => units.includes(unitOf(file)));
      const inside = relativeImports.filter(({ from }) => packageOf(from) === name);
      assertNone(inside.filter(({ from }) => floorOf(from) < 0).map(({ from }) => `${from} has no floor`));
      assertNone(
        inside
          .filter((one) => floorOf(resolveRelative(one)) > floorOf(one.from))
          .filter((one) => !openDoors.has(resolveRelative(one).replace('packages/server/src/', '')))
          .map(({ from, specifier }) => `${from} imports ${specifier}`),
      );
    });
  }

  it("keeps every file of the engine's http and crawl in one of their folders", () => {
    assertNone(files.filter((file) => /^packages\/engine\/src\/(?:http|crawl)\/[^/]+\.ts$/.test(file)));
  });

  for (const [folder, floors] of Object.entries(innerFloors)) {
    it(`keeps the floors inside the engine's ${folder}`, () => {
      const inside = `packages/engine/src/${folder}/`;
      const innerFolder = (file: string) => file.slice(inside.length).split('/')[0] ?? '';
      const floorOf = (file: string) => floors.findIndex((names) => names.includes(innerFolder(file)));
      assertNone(
        relativeImports
          .filter((one) => one.from.startsWith(inside) && resolveRelative(one).startsWith(inside))
          .filter((one) => floorOf(one.from) >= 0 && floorOf(resolveRelative(one)) > floorOf(one.from))
          .map(({ from, specifier }) => `${from} imports ${specifier}`),
      );
    });
  }

  it("lets other folders import only a feature's rules; its routes and jobs only where the server is wired", () => {
    assertNone(
      relativeImports
        .filter((one) => packageOf(one.from) === 'server' && unitOf(one.from) !== unitOf(resolveRelative(one)))
        .filter((one) => {
          const target = resolveRelative(one).replace('packages/server/src/', '');
          const feature = unitOf(resolveRelative(one));
          if (!features.includes(feature) || openDoors.has(target)) return false;
          const isWiring = ['app.ts', 'start-server.ts'].includes(unitOf(one.from));
          const allowed = [
            `${feature}/${feature}.ts`,
            ...(isWiring ? [`${feature}/routes.ts`, `${feature}/jobs.ts`] : []),
          ];
          return !allowed.includes(target);
        })
        .map(({ from, specifier }) => `${from} imports ${specifier}`),
    );
  });

  it('has no import cycles, also in tests and their shared code', () => {
    const others = globSync(['packages/testing/src/**/*.ts', 'test/**/*.ts', 'bench/*.ts'], { cwd: root });
    const all = [...new Set([...files, ...others])];
    const graph = Map.groupBy(
      all.flatMap(importsOf).filter(({ specifier }) => specifier.startsWith('.')),
      ({ from }) => from,
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, trail: string[]) => {
      if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
      if (done.has(file) || trail.includes(file)) return;
      for (const one of graph.get(file) ?? []) visit(resolveRelative(one), [...trail, file]);
      done.add(file);
    };
    for (const file of all) visit(file, []);
    assertNone(cycles);
  });

  it('has no import cycles between the folders and files of one folder', () => {
    const graphs = new Map<string, Map<string, Set<string>>>();
    const isOpen = (file: string) => openDoors.has(file.replace('packages/server/src/', ''));
    for (const one of relativeImports.filter((each) => !isOpen(resolveRelative(each)))) {
      const [from, to] = [one.from.split('/'), resolveRelative(one).split('/')];
      const shared = from.findIndex((name, index) => name !== to[index]);
      const [unit = '', other = ''] = [from[shared], to[shared]];
      const parent = from.slice(0, shared).join('/');
      const graph = graphs.get(parent) ?? new Map<string, Set<string>>();
      graphs.set(parent, graph);
      graph.set(unit, (graph.get(unit) ?? new Set()).add(other));
    }
    assert.ok(graphs.size > 100, `only ${graphs.size} folders`);
    const reaches = (graph: Map<string, Set<string>>, from: string, to: string, seen = new Set<string>()): boolean => {
      if (from === to) return true;
      if (seen.has(from)) return false;
      seen.add(from);
      return [...(graph.get(from) ?? [])].some((next) => reaches(graph, next, to, seen));
    };
    assertNone(
      [...graphs].flatMap(([parent, graph]) =>
        [...graph].flatMap(([unit, others]) =>
          [...others]
            .filter((other) => reaches(graph, other, unit))
            .map((other) => `${parent}: ${unit} imports ${other}`),
        ),
      ),
    );
  });

  it('opens connections only in the folders that judge them', () => {
    // The last one calls language models, whose address the operator gives, never a target or a caller.
    const isJudged = (file: string) =>
      /^packages\/engine\/src\/(?:http|target)\/|^packages\/server\/src\/models\/open-model\.ts$/.test(file);
    const modules = String.raw`'(?:(?:node:)?(?:net|tls|https?|http2|dgram|dns(?:\/promises)?)|undici)'`;
    const imported = new RegExp(String.raw`^(?:import|export)\b([^;'"]*?)\bfrom\s+${modules}`, 'gm');
    const dynamic = new RegExp(String.raw`\b(?:import|require)\(\s*${modules}|['"]undici['"]`);
    const opens =
      /\b(?:fetch|WebSocket|EventSource)\(|\b(?:net|tls|https?)\.(?:connect|createConnection|request|get|Socket)\(/;
    // Types, and questions about how an address is written, open nothing.
    const harmless = /^\s*(?:type\b.*|\{\s*(?:(?:type \w+|isIPv?[46]?)\s*,?\s*)+\}\s*)$/s;
    const connects = /\b(?:connect|createConnection|request|get|Agent|Socket|Resolver|resolve\w*|lookup)\b/;
    /** The server and the engine's oracle listen, and so may import functions that listen. */
    const isWrong = (source: string, mayListen: boolean) =>
      opens.test(source) ||
      dynamic.test(source) ||
      [...source.matchAll(imported)].some(
        ([, names = '']) => !harmless.test(names) && (!mayListen || connects.test(names.replace(/\btype \w+/g, ''))),
      );
    for (const wrong of ["import { connect } from 'node:net'", "import('node:tls')", 'await fetch(url)']) {
      assert.ok(isWrong(wrong, true), wrong);
    }
    assert.ok(isWrong("import { isIP, createServer } from 'node:net'", false));
    assert.ok(!isWrong("import { isIP, type Socket } from 'node:net'", false));
    assertNone(
      productFiles
        .filter((file) => ['engine', 'server'].includes(packageOf(file)) && !isJudged(file))
        // It asks the operator's own provider of single sign-on, at addresses that no customer chooses.
        .filter((file) => file !== 'packages/server/src/identity/oidc/provider.ts')
        .filter((file) => {
          const mayListen = packageOf(file) === 'server' || file.startsWith('packages/engine/src/oracle/');
          return isWrong(readFileSync(path.join(root, file), 'utf8'), mayListen);
        }),
    );
  });

  it('listens in the engine only where proofs come in from outside', () => {
    const inEngine = productFiles.filter((file) => packageOf(file) === 'engine');
    assertNone(
      inEngine
        .filter((file) => !file.startsWith('packages/engine/src/oracle/'))
        // Its sockets hear only the name server that they ask.
        .filter((file) => file !== 'packages/engine/src/target/dns/exchange.ts')
        .filter((file) =>
          /\.listen\(|\bcreateServer\(|\bcreateSocket\(/.test(readFileSync(path.join(root, file), 'utf8')),
        ),
    );
  });

  it('keeps no state in modules that judge a target', () => {
    const state =
      /^(?:export )?(?:let\b|var\b|const [^=]+ = new Weak(?:Map|Set)\b|const [^=]+ = new (?:Map|Set)(?:<[^(]*>)?\(\))/m;
    for (const wrong of ['let pair: Pair | undefined;', 'export let a = 1;', 'const read = new WeakMap<A, B[]>();']) {
      assert.match(wrong, state);
    }
    for (const wrong of ['const seen = new Map<string, A>();', 'const all: Set<string> = new Set();']) {
      assert.match(wrong, state);
    }
    assert.doesNotMatch("const READING = new Set<string>(['GET']);", state);
    const judging = productFiles.filter((file) => /^packages\/engine\/src\/(?:active|oracle|pentest)\//.test(file));
    assert.ok(judging.length > 200, `only ${judging.length} files`);
    assertNone(judging.filter((file) => state.test(readFileSync(path.join(root, file), 'utf8'))));
  });

  it('reads the environment only in config.ts', () => {
    assertNone(
      productFiles
        .filter((file) => !/\/src\/(?:config|settings)\/config\.ts$/.test(file))
        .filter((file) => readFileSync(path.join(root, file), 'utf8').includes('process.env')),
    );
  });
});

describe('the size of files', () => {
  const MOST_LINES = 300;

  it(`is at most ${MOST_LINES} lines, outside of tests`, () => {
    const others = globSync(['packages/testing/src/**/*.ts', 'bench/*.ts', 'ci/github/*.ts', '.ci/*.ts'], {
      cwd: root,
    });
    const scripts = others.filter((file) => !isTest(file));
    assert.ok(productFiles.length > 1_000 && scripts.length > 200);
    const linesOf = (file: string) => readFileSync(path.join(root, file), 'utf8').split('\n').length - 1;
    assertNone([...productFiles, ...scripts].filter((file) => linesOf(file) > MOST_LINES));
  });
});

describe('the tests', () => {
  const testsAcrossPackages = globSync('test/**/*.ts', { cwd: root }).sort();
  const sharedTestCode = allFiles.filter((file) => file.startsWith('packages/testing/'));

  it('that cross packages import these by name, and of their inside only what packages/testing exports', () => {
    const mayImport = ({ from, specifier }: Import) => {
      if (specifier.startsWith('.')) return !resolveRelative({ from, specifier }).startsWith('packages/');
      return !specifier.startsWith('@sortie/') || /^@sortie\/(?:[^/]+$|testing\/)/.test(specifier);
    };
    assertNone(
      testsAcrossPackages
        .flatMap(importsOf)
        .filter((one) => !mayImport(one))
        .map(({ from, specifier }) => `${from} imports ${specifier}`),
    );
  });

  it('that cross packages lie in the folder of their subject', () => {
    assertNone(testsAcrossPackages.filter((file) => /^test\/[^/]+$/.test(file) && file !== 'test/boundaries.test.ts'));
  });

  it('share their code in the folders of packages/testing, which imports no test', () => {
    assert.ok(sharedTestCode.length > 100);
    assertNone(sharedTestCode.filter((file) => /^packages\/testing\/src\/[^/]+$/.test(file)));
    assertNone(
      sharedTestCode
        .flatMap(importsOf)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .filter((one) => isTest(resolveRelative(one)) || resolveRelative(one).startsWith('test/'))
        .map(({ from, specifier }) => `${from} imports ${specifier}`),
    );
  });
});
