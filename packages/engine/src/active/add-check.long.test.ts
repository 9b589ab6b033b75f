import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../../../..');
/** The packages whose files a new check is loaded and tested with. The others are linked. */
const COPIED = ['engine', 'testing'];
const ACTIVE = 'packages/engine/src/active';

let copy = '';
let added: { file: string; id: string };
before(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'sortie-added-check-'));
  await copyTree();
  added = await addCheck();
});
after(() => rm(copy, { recursive: true }));

/** Links all entries of a folder into the folder of the same name in the copy. */
async function link(folder: string, isLinked = (_name: string) => true): Promise<void> {
  await mkdir(path.join(copy, folder), { recursive: true });
  const names = (await readdir(path.join(root, folder))).filter((name) => !name.startsWith('.') && isLinked(name));
  for (const name of names) await symlink(path.join(root, folder, name), path.join(copy, folder, name));
}

async function copyTree(): Promise<void> {
  await link('packages', (name) => !COPIED.includes(name));
  await link('node_modules', (name) => name !== '@sortie');
  await mkdir(path.join(copy, 'node_modules/@sortie'));
  for (const name of await readdir(path.join(root, 'packages'))) {
    await symlink(`../../packages/${name}`, path.join(copy, 'node_modules/@sortie', name));
  }
  for (const name of COPIED) {
    await cp(path.join(root, 'packages', name, 'src'), path.join(copy, 'packages', name, 'src'), { recursive: true });
    for (const file of ['package.json', 'node_modules']) {
      const from = path.join(root, 'packages', name, file);
      await cp(from, path.join(copy, 'packages', name, file), { recursive: true }).catch((error) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
  }
}

/** Writes the check that the documentation shows to the file it names. */
async function addCheck(): Promise<typeof added> {
  const text = await readFile(path.join(root, 'docs/adding-a-check.md'), 'utf8');
  const [, file = '', source = ''] = /```ts\n\/\/ (packages\/\S+)\n(.*?)```/s.exec(text) ?? [];
  await writeFile(path.join(copy, file), source, { flag: 'wx' });
  return { file, id: path.basename(file, '.ts') };
}

async function run(...parameters: string[]): Promise<string> {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: copy, env });
  return stdout;
}

describe('a new active check', () => {
  it('is one file: the engine loads it, and the lab in it is its test', async () => {
    const tested = await run(
      '--test',
      '--test-reporter=tap',
      `--test-name-pattern=/\\b${added.id} /`,
      `${ACTIVE}/labs.test.ts`,
    );
    assert.match(tested, new RegExp(`ok \\d+ - ${added.id} finds its flaw in the lab, CONFIRMED`));
    assert.match(tested, new RegExp(`ok \\d+ - ${added.id} stays silent on the safe twin`));
    assert.match(tested, /^# pass 2$/m);
  });

  it('needs no entry in a list', async () => {
    const names = ['check-ids', 'check-texts', 'load-checks'];
    const tested = await run('--test', '--test-reporter=tap', ...names.map((name) => `${ACTIVE}/${name}.test.ts`));
    for (const name of ['are in the words of the field', 'say in one sentence .*', 'are rated alike .*']) {
      assert.match(tested, new RegExp(`ok \\d+ - ${name}: ${added.id}\n`));
    }
    assert.match(tested, /^# fail 0$/m);
  });

  it('compiles as documented', async () => {
    const { compilerOptions } = JSON.parse(await readFile(path.join(root, 'tsconfig.json'), 'utf8'));
    await writeFile(path.join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [added.file] }));
    await run('node_modules/typescript/bin/tsc', '--noEmit');
  });
});
