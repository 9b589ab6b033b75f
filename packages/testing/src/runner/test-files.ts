import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../../../..');

/** The test files of `npm run test:all`, each in one of the lists. The groups are in the order in which they start. */
export interface TestFiles {
  /** Files whose code can start processes: those of one part of the project share a process. */
  api: string[];
  runs: string[];
  commands: string[];
  engine: string[];
  server: string[];
  operations: string[];
  /** Files that share a process, because their code opens or accepts connections at most. */
  connected: string[];
  /** Files that share one, because none of the code they import can reach outside it. */
  shared: string[];
  /** Files with a process of their own, because they use state of the process. */
  isolated: string[];
}

/** The list of files that start processes, by their folder. */
const PARTS = [
  ['engine', /^packages\/(?:engine|range)\//],
  ['server', /^packages\/server\//],
  ['api', /^test\/api\//],
  ['runs', /^test\/runs\//],
  ['commands', /^(?:packages\/cli|test\/(?:cli|mcp|packaging|sdk))\//],
] as const;

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

/** State of the process that a test would leave changed for other files, or that they would have changed for it. */
const PROCESS_STATE =
  /\b(?:globalThis|mock|setDefault\w+|setGlobal\w+|process\.(?:chdir|exit|exitCode|memoryUsage|on|pid|stderr|stdout|umask))\b|\b(?:process\.env|console)[\w.]*\s*=[^=]/;

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
  const starting = { operations: [], api: [], server: [], commands: [], engine: [], runs: [] };
  return { ...starting, connected: [], shared: [], isolated: [], ...Object.groupBy(files, listOf) };
}

function reachOf(file: string, importsOf: (module: string) => string[]): keyof TestFiles {
  let reach: keyof TestFiles = 'shared';
  const visited = new Set([file]);
  for (const module of visited) {
    for (const specifier of importsOf(module)) {
      if (STARTS.has(specifier)) return partOf(file);
      if (CONNECTS.has(specifier)) reach = 'connected';
      const own = findOwn(specifier, module);
      if (own) visited.add(own);
    }
  }
  return reach;
}

const partOf = (file: string) => PARTS.find(([, folder]) => folder.test(file))?.[0] ?? 'operations';

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
