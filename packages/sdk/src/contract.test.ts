import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { endpoints } from '@sortie/contract';
import { contractText } from './build/contract-text.ts';
import { typeText } from './build/type-text.ts';
import { routes } from './contract.ts';

const product = globSync('*.ts', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'));

function importsOf(file: string): string[] {
  const source = readFileSync(path.join(import.meta.dirname, file), 'utf8');
  return [...source.matchAll(/\bfrom '([^']+)'|\bimport\(?\s*'([^']+)'/g)].map(
    ([, name, other]) => name ?? other ?? '',
  );
}

describe('what is published', () => {
  it('imports nothing but its own files, and the contract in one of them', () => {
    const outside = product.flatMap((file) =>
      importsOf(file)
        .filter((name) => !/^\.\/[\w-]+\.ts$/.test(name))
        .map((name) => `${file} ${name}`),
    );
    assert.ok(product.length > 15);
    assert.deepEqual([...new Set(outside)], ['contract.ts @sortie/contract']);
  });

  it('has every endpoint of the contract, as data', () => {
    const text = contractText();
    for (const [name, { method, path: address, idempotent }] of Object.entries(endpoints)) {
      const route = routes[name as keyof typeof routes];
      assert.deepEqual([route.method, route.path, route.idempotent], [method, address, idempotent]);
      assert.ok(text.includes(`"path": "${address}"`), address);
    }
    assert.deepEqual(routes.listPentestFindings.lists, { severity: ['critical', 'high', 'medium', 'low', 'info'] });
  });
});

describe('the published types and constants', () => {
  const lines = contractText().split('\n');
  const exported = lines.flatMap((line, index) =>
    line.startsWith('export ') ? [{ line, before: lines[index - 1] ?? '' }] : [],
  );

  it('have a comment each', () => {
    assert.ok(exported.length > 50, `only ${exported.length} exports`);
    assert.deepEqual(
      exported.filter(({ before }) => !before.endsWith('*/')).map(({ line }) => line),
      [],
    );
  });
});

describe('the type of a schema', () => {
  const types: [string, Parameters<typeof typeText>[0], string][] = [
    ['a text', { type: 'string' }, 'string'],
    ['a whole number', { type: 'integer' }, 'number'],
    ['a text or null', { type: ['string', 'null'] }, 'string | null'],
    ['one of several words', { type: 'string', enum: ['A', 'B'] }, '"A" | "B"'],
    ['anything', { description: 'What is tested.' }, 'unknown'],
    ['one value', { type: 'boolean', const: true }, 'true'],
    ['something with a name', { $ref: '#/components/schemas/Pentest' }, 'Pentest'],
    ['a list of words', { type: 'array', items: { enum: ['A', 'B'] } }, '("A" | "B")[]'],
    ['something or null', { anyOf: [{ $ref: '#/components/schemas/Scan' }, { type: 'null' }] }, 'Scan | null'],
    [
      'an object',
      {
        type: 'object',
        properties: { a: { type: 'string', description: 'First.' }, b: { type: 'number' } },
        required: ['a'],
      },
      '{\n/** First. */\na: string;\nb?: number | undefined;\n}',
    ],
  ];
  for (const [name, schema, text] of types) {
    it(`is written for ${name}`, () => assert.equal(typeText(schema), text));
  }

  it('is never guessed', () => {
    assert.throws(() => typeText({}), /cannot write down/);
    assert.throws(() => typeText({ type: 'array', items: {} }), /cannot write down/);
  });
});
