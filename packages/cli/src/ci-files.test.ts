import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';

const root = path.join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const yamlFiles = globSync(['ci/*/action.yml', 'ci/gitlab/templates/*.yml', 'packages/cli/ci/*.yml'], {
  cwd: root,
}).sort();
const allFiles = [...yamlFiles, 'packages/cli/ci/Jenkinsfile'];

function parse(file: string): Record<string, unknown>[] {
  return parseAllDocuments(read(file), { strict: true, uniqueKeys: true }).map((document) => {
    assert.deepEqual([...document.errors, ...document.warnings], [], file);
    return document.toJS();
  });
}

/** Returns every string in a document. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

describe('files for pipelines', () => {
  it('are there for every system', () => {
    assert.deepEqual(yamlFiles, [
      'ci/github/action.yml',
      'ci/gitlab/templates/gate.yml',
      'ci/gitlab/templates/scan.yml',
      'ci/gitlab/templates/start.yml',
      'packages/cli/ci/azure.yml',
      'packages/cli/ci/circleci.yml',
      'packages/cli/ci/github.yml',
      'packages/cli/ci/gitlab.yml',
    ]);
  });

  for (const file of yamlFiles) {
    it(`are YAML: ${file}`, () => {
      assert.equal(parse(file).length, file.includes('templates') ? 2 : 1);
    });
  }

  for (const name of ['gate', 'scan', 'start']) {
    it(`name each input of the GitLab component once, and no other: ${name}`, () => {
      const [head, jobs] = parse(`ci/gitlab/templates/${name}.yml`);
      const { inputs } = (head as { spec: { inputs: object } }).spec;
      const used = new Set(
        [...JSON.stringify(jobs).matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, input]) => input),
      );
      assert.deepEqual([...used].sort(), Object.keys(inputs).sort());
    });
  }

  it('put nothing that others choose into a shell but by a variable', () => {
    for (const file of allFiles.filter((each) => !each.endsWith('action.yml'))) {
      for (const line of read(file)
        .split('\n')
        .filter((each) => /\bsortie (?:pentest|gate|scan|report)\b/.test(each))) {
        assert.doesNotMatch(line, /\$\[\[|\$\{\{|<<|\$\{/, `${file}: ${line}`);
      }
    }
  });

  it('hold no key, and wait no longer than a job may last', () => {
    for (const file of allFiles) {
      assert.doesNotMatch(read(file), /srt_(?:live|test)_/, file);
      for (const [, hours] of read(file).matchAll(/--max-wait (\d+)h/g)) assert.ok(Number(hours) <= 5, file);
    }
  });

  it('describe the inputs and outputs that the action reads and writes', () => {
    const [action] = parse('ci/github/action.yml') as [
      { inputs: object; outputs: object; runs: { using: string; main: string } },
    ];
    const sources = globSync('ci/github/src/*.ts', { cwd: root }).map(read).join('\n');
    const names = (pattern: RegExp) => [...new Set([...sources.matchAll(pattern)].map(([, name]) => name))].sort();
    assert.deepEqual(names(/\bget(?:Input)?\('([\w-]+)'\)/g), Object.keys(action.inputs).sort());
    const severities = ['critical', 'high', 'medium', 'low', 'info'];
    assert.deepEqual([...names(/\bsetOutput\('([\w-]+)'/g), ...severities].sort(), Object.keys(action.outputs).sort());
    assert.equal(action.runs.using, 'node24');
    assert.ok(read(`ci/github/${action.runs.main}`).length > 0);
    assert.ok(textsOf(action.inputs).every((text) => text.length < 300));
  });
});
