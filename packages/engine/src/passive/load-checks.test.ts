import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { loadPassiveChecks } from './load-checks.ts';

const definition = pathToFileURL(path.join(import.meta.dirname, 'define-passive-check.ts')).href;
const pass = { name: 'good', given: {}, fails: 0 };
const fail = { name: 'bad', given: {}, fails: 1 };

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-checks-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(file: string, source: string): Promise<void> {
  await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
  await writeFile(path.join(folder, file), source);
}

function writeCheck(file: string, differently: object = {}): Promise<void> {
  const check = { id: path.basename(file, '.ts'), group: path.dirname(file), examples: [fail, pass], ...differently };
  const source = `import { definePassiveCheck } from '${definition}';
    export default definePassiveCheck(${JSON.stringify({ needs: [], references: [], ...check })});`;
  return write(file, source);
}

const idsOf = async () => (await loadPassiveChecks(folder)).map(({ id }) => id);

describe('the checks', () => {
  it('are found in their group folders, in the order of their ids', async () => {
    await writeCheck('headers/b-first.ts');
    await writeCheck('cookies/c-second.ts');
    await writeCheck('dns/a-third.ts');
    await write('dns/a-third.test.ts', 'export default 1;');
    await write('helper.ts', 'export default 1;');
    assert.deepEqual(await idsOf(), ['a-third', 'b-first', 'c-second']);
  });

  it('of the product can all be loaded', async () => {
    assert.ok((await loadPassiveChecks()).length >= 4);
  });
});

describe('the engine does not start', () => {
  it('on a file that exports something else', async () => {
    await write('headers/one.ts', "export default { id: 'one' };");
    await assert.rejects(idsOf(), /headers\/one\.ts cannot be used: its default export must be made with/);
  });

  it('on a file that exports nothing', async () => {
    await write('headers/one.ts', 'export const one = 1;');
    await assert.rejects(idsOf(), /its default export must be made with/);
  });

  it('on an id that differs from the name of the file', async () => {
    await writeCheck('headers/one.ts', { id: 'two' });
    await assert.rejects(idsOf(), /its id is two, but must be the name of the file/);
  });

  it('on an id that cannot be an id', async () => {
    await writeCheck('headers/One_1.ts');
    await assert.rejects(idsOf(), /small letters, digits and hyphens/);
  });

  it('on a group that differs from the name of the folder', async () => {
    await writeCheck('headers/one.ts', { group: 'dns' });
    await assert.rejects(idsOf(), /its group is dns, but must be the name of the folder/);
  });

  it('on two checks of the same id', async () => {
    await writeCheck('headers/one.ts');
    await writeCheck('dns/one.ts');
    await assert.rejects(idsOf(), /there is another check named one/);
  });

  it('on a check that another one would explain which is not there', async () => {
    await writeCheck('headers/one.ts');
    await writeCheck('headers/two.ts', { suppressedBy: ['one', 'gone'] });
    await assert.rejects(
      idsOf(),
      /two cannot be used: it is suppressed by gone, and there is no other check of that id/,
    );
    await writeCheck('headers/gone.ts', { suppressedBy: ['gone'] });
    await assert.rejects(idsOf(), /gone cannot be used: it is suppressed by gone/);
  });

  it('on a check without an example that fails', async () => {
    await writeCheck('headers/one.ts', { examples: [pass] });
    await assert.rejects(idsOf(), /no example that fails/);
  });

  it('on a check without an example that passes', async () => {
    await writeCheck('headers/one.ts', { examples: [fail] });
    await assert.rejects(idsOf(), /no example that passes/);
  });

  it('on a folder without checks', async () => {
    await assert.rejects(idsOf(), /There is no check/);
  });
});
