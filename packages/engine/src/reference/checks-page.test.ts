import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadActiveChecks } from '../active/load-checks.ts';
import { checksPageFile, currentChecksPage } from './current-checks-page.ts';

const page = await currentChecksPage();
const [activeSection = ''] = page.split('## Experiments of a planner');

describe('docs/checks.md', () => {
  it('is what the checks say: npm run docs:accept writes it', () => {
    assert.equal(readFileSync(checksPageFile, 'utf8'), page);
  });

  it('names each active check once, with the level that it runs from', async () => {
    for (const { id, title } of await loadActiveChecks()) {
      const rows = activeSection.split('\n').filter((line) => line.startsWith(`| \`${id}\` | `));
      assert.equal(rows.length, 1, id);
      assert.match(rows[0] ?? '', / \| (?:LEAD|STANDARD|DEEP) \| /, title);
    }
  });

  it('says of a check that tries logins that LEAD leaves it out', () => {
    assert.match(page, /\| `default-credentials` \|.*\| STANDARD \|/);
    assert.match(page, /\| `reflected-xss` \|.*\| LEAD \|/);
  });
});
