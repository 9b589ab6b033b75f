import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../../../..');

/** The test files of `npm run test:all`, each in one of the lists. */
export interface TestFiles {
  /** Files that share one process, because none of the code they import can reach outside it. */
  shared: string[];
  /** Files that share a second one, because their code opens or accepts connections at most. */
  connected: string[];
  isolated: string[];
}

/** Modules that start processes or threads. */
const STARTS = new Set(['node:child_process', 'node:cluster', 'node:worker_threads', 'playwright-core']);

/** Modules that open connections or accept them. */
const CONNECTS = new Set([
  'node:dgram',
  'node:dns',
  'node:dns/promises',
  'node:http',
  'node:http2',
  'node:https',
  'node:tls',
  'pg',
  'undici',
]);

/** State of the process that a test would leave changed for other files. */
const PROCESS_STATE =
  /\b(?:console|globalThis|mock|process\.(?:chdir|env|exit|exitCode|kill|on|stderr|stdout|umask))\b|\bsetTimeout\(/;

/** Imports at run time: types are erased. */
const IMPORT =
  /^\s*(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'|\b(?:import|getBuiltinModule)\('([^']+)'\)/gm;

const PATTERNS = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'];
const OTHER_SUITES = /\.long\.test\.ts$/;

/** Finds the test files below this folder, as paths relative to it. */
export function findTestFiles(root: string): TestFiles {
  const imports = new Map<string, string[]>();
  const importsOf = (module: string) => {
    const known = imports.get(module) ?? readImports(path.join(root, module));
    imports.set(module, known);
    return known;
  };
  const listOf = (file: string) =>
    PROCESS_STATE.test(readFileSync(path.join(root, file), 'utf8')) ? 'isolated' : reachOf(file, importsOf);
  const files = globSync(PATTERNS, { cwd: root })
    .filter((file) => !OTHER_SUITES.test(file))
    .sort();
  return { shared: [], connected: [], isolated: [], ...Object.groupBy(files, listOf) };
}

function reachOf(file: string, importsOf: (module: string) => string[]): keyof TestFiles {
  let reach: keyof TestFiles = 'shared';
  const visited = new Set([file]);
  for (const module of visited) {
    for (const specifier of importsOf(module)) {
      if (STARTS.has(specifier)) return 'isolated';
      if (CONNECTS.has(specifier)) reach = 'connected';
      const own = findOwn(specifier, module);
      if (own) visited.add(own);
    }
  }
  return reach;
}

function readImports(file: string): string[] {
  if (!existsSync(file)) return [];
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, called]) => from ?? called ?? '');
}

/** Returns the file of this repository that an import refers to, if any. */
function findOwn(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('.')) return path.join(path.dirname(importer), specifier);
  const [, name, inner = 'index.ts'] = /^@sortie\/([a-z]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  return name && `packages/${name}/src/${inner}`;
}
