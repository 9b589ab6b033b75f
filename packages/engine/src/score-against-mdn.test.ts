import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { type HeaderSet, headerSets } from '../../../test/support/header-sets.ts';
import { toArtifacts } from './check.ts';
import { toEvidence } from './evidence/evidence.ts';
import { loadPassiveChecks } from './passive/load-checks.ts';
import { judgeSite } from './scan.ts';

const probes = (await loadPassiveChecks()).flatMap((check) => check.probes ?? []);
const document = await readFile(new URL('../../../docs/scoring.md', import.meta.url), 'utf8');

function judged({ name: _, mdn: __, ...given }: HeaderSet) {
  const result = judgeSite(toEvidence(toArtifacts({ dns: null, ...given }, probes)));
  assert.ok('findings' in result, JSON.stringify(result));
  return result;
}
const scores = new Map(headerSets.map((set) => [set.name, judged(set).score]));

function scoreOf(name: string): number {
  const score = scores.get(name);
  assert.ok(score !== undefined, `there is no set named ${name}`);
  return score;
}

describe('the score of header sets', () => {
  it('is at least that of no policy, whatever the policy says', () => {
    for (const { name } of headerSets.filter((set) => set.name.startsWith('CSP ') && set.name !== 'CSP alone'))
      assert.ok(scoreOf(name) >= scoreOf('no CSP'), name);
  });

  it("is the best with Google's strict policy", () => {
    assert.equal(scoreOf("Google's strict CSP"), scoreOf('the best'));
  });

  it('is the same whether http serves the page or redirects to http', () => {
    assert.equal(scoreOf('http redirects to http'), scoreOf('http serves the page'));
  });

  it('counts a cause once: ALLOW-FROM costs what no header costs', () => {
    assert.equal(scoreOf('X-Frame-Options ALLOW-FROM'), scoreOf('framing open'));
  });

  it('is below a C without any header', () => {
    assert.ok(scoreOf('nothing') < 65);
  });

  it("orders them as MDN's grader does, but where docs/scoring.md says why not", () => {
    assert.ok(headerSets.length >= 30);
    const inversions = headerSets.flatMap((better) =>
      headerSets
        .filter((worse) => better.mdn > worse.mdn && scoreOf(better.name) < scoreOf(worse.name))
        .map((worse) => `| ${worse.name} | ${better.name} |`),
    );
    const [, table = ''] = document.split('| We rank higher |');
    const defended = table.match(/^\| [^|\n]+ \| [^|\n]+ \|(?= [^|\n]+ \|$)/gm) ?? [];
    assert.deepEqual(inversions.sort(), defended.sort());
  });

  it('is what docs/scoring.md says', () => {
    for (const { name, mdn } of headerSets)
      assert.ok(document.includes(`| ${name} | ${mdn} | ${scoreOf(name)} |`), name);
  });
});
