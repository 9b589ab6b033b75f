import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { type HeaderSet, headerSets } from '@sortie/testing/targets/header-sets.ts';
import { toEvidence } from '../evidence/evidence.ts';
import { judgeSite } from '../scan/run-scan.ts';
import { toArtifacts } from './define-passive-check.ts';
import { loadPassiveChecks } from './load-checks.ts';

const probes = (await loadPassiveChecks()).flatMap((check) => check.probes ?? []);
const document = await readFile(new URL('../../../../docs/scoring.md', import.meta.url), 'utf8');

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
  it('is never lower with a CSP than without', () => {
    for (const { name } of headerSets.filter((set) => set.name.startsWith('CSP ') && set.name !== 'CSP only'))
      assert.ok(scoreOf(name) >= scoreOf('no CSP'), name);
  });

  it("is full with Google's strict CSP", () => {
    assert.equal(scoreOf("Google's strict CSP"), scoreOf('all recommended headers'));
  });

  it('is the same whether HTTP serves the page or redirects to HTTP', () => {
    assert.equal(scoreOf('HTTP redirects to HTTP'), scoreOf('page served over HTTP'));
  });

  it('counts a root cause once: ALLOW-FROM deducts as much as no header', () => {
    assert.equal(scoreOf('X-Frame-Options ALLOW-FROM'), scoreOf('no clickjacking protection'));
  });

  it('is below C without security headers', () => {
    assert.ok(scoreOf('no security headers') < 65);
  });

  it("has the order of MDN's grader, except where docs/scoring.md gives a reason", () => {
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

  it('matches docs/scoring.md', () => {
    for (const { name, mdn } of headerSets)
      assert.ok(document.includes(`| ${name} | ${mdn} | ${scoreOf(name)} |`), name);
  });
});
