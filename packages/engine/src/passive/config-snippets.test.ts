import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toEvidence } from '../evidence/evidence.ts';
import { linesFor, type Recipe } from './config-snippets.ts';
import { toArtifacts } from './define-passive-check.ts';
import { loadPassiveChecks } from './load-checks.ts';
import { runCheck } from './run-checks.ts';

const checks = await loadPassiveChecks();
const nosniff: Recipe = { header: ['X-Content-Type-Options', 'nosniff'] };

const linesOn = (recipe: Recipe, server: string[], poweredBy: string[] = []) =>
  linesFor(recipe, (name) => (name === 'server' ? server : poweredBy));

describe('configuration snippets', () => {
  it('are generated for each product that the response headers name', () => {
    assert.deepEqual(linesOn(nosniff, ['nginx/1.29.1']), [
      'nginx: add_header X-Content-Type-Options "nosniff" always;',
    ]);
    assert.deepEqual(linesOn(nosniff, ['Apache/2.4.66 (Debian)'], ['PHP/8.4.1']), [
      'Apache: Header always set X-Content-Type-Options "nosniff"',
      'PHP: header("X-Content-Type-Options: nosniff");',
    ]);
    assert.deepEqual(linesOn({ hide: String.raw`/\.git` }, ['openresty']), [
      String.raw`nginx: location ~ /\.git { return 404; }`,
    ]);
  });

  it('are left out if the headers name no product or an unknown one', () => {
    assert.deepEqual(linesOn(nosniff, []), []);
    assert.deepEqual(linesOn(nosniff, ['homemade/1.0']), []);
    assert.deepEqual(linesOn({ set: 'TLS versions' }, [], ['Express']), []);
  });

  it('are appended to the remediation of a finding', () => {
    const check = checks.find(({ id }) => id === 'nosniff-missing');
    assert.ok(check);
    const remediationAt = (headers: Record<string, string>) =>
      runCheck(check, toEvidence(toArtifacts({ headers })))[0]?.remediation;
    assert.equal(remediationAt({}), check.fix);
    assert.equal(
      remediationAt({ server: 'nginx' }),
      `${check.fix}\nnginx: add_header X-Content-Type-Options "nosniff" always;`,
    );
  });

  it('need no escaping: no value contains a quote', () => {
    for (const { id, recipe } of checks) {
      if (recipe && 'header' in recipe) assert.doesNotMatch(recipe.header.join(), /["\\\n]/, id);
    }
  });
});
