import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { loadActiveChecks } from './load-checks.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-active-checks-'));
});
afterEach(() => rm(folder, { recursive: true }));

const whole: Record<string, string> = {
  id: "'one'",
  cvss: "'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'",
  cvss4: "'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'",
  impact: "'An attacker wins.'",
  appliesTo: '() => true',
  variants: '[1]',
  maxRequests: '10',
  proof: '{ plan: () => [], judge: () => "VOID" }',
  lab: '() => ({})',
  references: "['https://cwe.mitre.org/data/definitions/79.html']",
};

async function write(file: string, source: string): Promise<void> {
  await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
  await writeFile(path.join(folder, file), source);
}
function writeCheck(file: string, changes: Record<string, string> = {}): Promise<void> {
  const facts = Object.entries({ ...whole, id: `'${path.basename(file, '.ts')}'`, ...changes });
  return write(file, `export default { ${facts.map((fact) => fact.join(': ')).join(', ')} };`);
}
const load = async () => (await loadActiveChecks(folder)).map(({ id }) => id);

describe('active checks', () => {
  it('are the files in the folders of groups, in their order, tests left out', async () => {
    await writeCheck('b/two.ts');
    await writeCheck('a/one.ts');
    await write('a/one.test.ts', 'export default 1;');
    await write('helper.ts', 'export default 1;');
    assert.deepEqual(await load(), ['one', 'two']);
  });

  it('end the start when a file exports something else, or nothing', async () => {
    for (const [file, source] of [
      ['a/one.ts', 'export default 1;'],
      ['b/two.ts', 'export const two = 2;'],
    ] as const) {
      await write(file, source);
      await assert.rejects(load(), /does not export an active check: use definePointCheck/);
      await rm(path.join(folder, file));
    }
  });

  it('end the start and say what is missing, or not as it should be', async () => {
    const wrong: [name: string, value: string, problem: RegExp][] = [
      ['proof', 'undefined', /proof needs plan and judge/],
      ['proof', '{ plan: () => [] }', /proof needs plan and judge/],
      ['lab', 'undefined', /lab is missing/],
      ['appliesTo', 'undefined', /appliesTo is missing/],
      ['variants', 'undefined', /needs variants/],
      ['variants', '[]', /needs variants/],
      ['references', 'undefined', /references are missing/],
      ['references', '[]', /references are missing/],
      ['maxRequests', 'undefined', /maxRequests must be/],
      ['maxRequests', '0', /maxRequests must be/],
      ['maxRequests', 'Infinity', /maxRequests must be/],
      ['cvss', 'undefined', /cvss must be/],
      ['cvss', "'CVSS:3.1/AV:N'", /cvss must be/],
      ['cvss4', 'undefined', /cvss4 must be/],
      ['cvss4', "'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H'", /cvss4 must be/],
      ['impact', 'undefined', /impact is missing/],
    ];
    for (const [index, [name, value, problem]] of wrong.entries()) {
      const file = `a/check-${index}.ts`;
      await writeCheck(file, { [name]: value });
      await assert.rejects(load(), problem, `${name}: ${value}`);
      await rm(path.join(folder, file));
    }
  });

  it('end the start with an id that is not the name of the file, or is none', async () => {
    await writeCheck('a/one.ts', { id: "'two'" });
    await assert.rejects(load(), /one\.ts has the id two, but must be named after it/);
    await rm(path.join(folder, 'a/one.ts'));
    await writeCheck('a/One_1.ts');
    await assert.rejects(load(), /has the id One_1: use lower-case words/);
  });

  it('end the start when two have one id, or when there is none', async () => {
    await assert.rejects(load(), /there is no active check/);
    await writeCheck('a/one.ts');
    await writeCheck('b/one.ts');
    await assert.rejects(load(), /there are two checks one/);
  });
});
