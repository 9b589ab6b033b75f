import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Product files. In packages/testing the models of ledger, starts and runs have the same parts by design; the files in
 * sdk/src/build contain the text of other files.
 */
const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.test\.tsx?$|^packages\/testing\/|^packages\/sdk\/src\/build\//.test(file),
);

const TYPE = /^export (?:declare |abstract )*(?:interface|type|class|enum) (\w+)/gm;

/** Returns the names that a package exports from its own files, each with the source of its file. */
function exportedBy(folder: string): { name: string; source: string }[] {
  const index = readFileSync(path.join(root, folder, 'index.ts'), 'utf8');
  return [...index.matchAll(/^export (?:type )?\{([^}]*)\} from '(.+?)';/gm)].flatMap(([, names = '', file = '']) => {
    const source = readFileSync(path.join(root, folder, file), 'utf8');
    return names
      .split(',')
      .flatMap((name) => /(\w+)\s*$/.exec(name)?.[1] ?? [])
      .map((name) => ({ name, source }));
  });
}

/** Returns the declarations of a name: a schema and its type share one. */
const declarationsOf = (name: string, source: string) => [
  ...source.matchAll(
    new RegExp(
      `(\\*/\\n)?^(?:export )?(?:async )?(?:function|const|class|interface|type) ${name}\\b[^]*?(?:;|\\})\\n(?=\\n|\\S|$)`,
      'gm',
    ),
  ),
];

/** Returns whether a comment, the description of its schema, or what it is derived from tells what a name means. */
function isDescribed(name: string, source: string): boolean {
  return declarationsOf(name, source).some(([text, comment]) => {
    const [, ofList, ofSchema, ofKeys] = DERIVED.exec(text) ?? [];
    const origin = ofList ?? ofSchema ?? ofKeys;
    if (comment !== undefined || /^(?: {2}|\}\))?\.describe\(|^(?:export )?const \w+ = z\..*\.describe\(/m.test(text))
      return true;
    return origin !== undefined && origin !== name && isDescribed(origin, source);
  });
}

const DERIVED = /= \(typeof (\w+)\)\[number\];|= z\.infer<typeof (\w+)>;|= keyof typeof (\w+);/;

describe('names of exported types', () => {
  it('stand once in a package: one thing has one name, and a name means one thing', () => {
    const types = files.flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(TYPE)].map(([, name = '']) => ({ file, name })),
    );
    assert.ok(types.length > 1000, `only ${types.length} types`);
    const byName = Map.groupBy(types, ({ file, name }) => `${file.split('/')[1]}: ${name}`);
    const twice = [...byName].filter(([, all]) => all.length > 1);
    assert.deepEqual(
      twice.map(([name, all]) => `${name} in ${all.map(({ file }) => file).join(' and ')}`),
      [],
    );
  });
});

describe('words of the domain', () => {
  const WORDS = ['Answer', 'Exchange', 'Finding', 'Looking', 'Page', 'Place', 'Point', 'Run', 'Step'];

  it('name one type in a package, also where the type is not exported', () => {
    const declared = files.flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)].flatMap(
        ([, name = '']) => (WORDS.includes(name) ? [{ file, name }] : []),
      ),
    );
    assert.ok(declared.length > 5, `only ${declared.length} types`);
    const byName = Map.groupBy(declared, ({ file, name }) => `${file.split('/')[1]}: ${name}`);
    const twice = [...byName].filter(([, all]) => all.length > 1);
    assert.deepEqual(
      twice.map(([name, all]) => `${name} in ${all.map(({ file }) => file).join(' and ')}`),
      [],
    );
  });
});

describe('what the index of a package exports', () => {
  it('is described', () => {
    const packages = ['contract', 'engine', 'range', 'report', 'sdk', 'server', 'web'];
    const all = packages.flatMap((name) => exportedBy(`packages/${name}/src`));
    // The rest of the list comes from the contract, which describes it.
    const own = all.filter(({ name, source }) => declarationsOf(name, source).length > 0);
    assert.ok(own.length > 300, `only ${own.length} names`);
    const bare = own.filter(({ name, source }) => !isDescribed(name, source));
    assert.deepEqual(
      bare.map(({ name }) => name),
      [],
    );
  });

  it('is not described by a declaration beside it', () => {
    const source =
      '/** A list. */\nexport const a = [1];\nexport type B = string;\nexport type C = (typeof a)[number];\n';
    assert.deepEqual(
      ['a', 'B', 'C'].map((name) => isDescribed(name, source)),
      [true, false, true],
    );
  });
});
