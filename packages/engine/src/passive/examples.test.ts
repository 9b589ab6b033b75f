import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toEvidence } from '../evidence/evidence.ts';
import { ScanFinding } from '../protocol/finding.ts';
import { toArtifacts } from './define-passive-check.ts';
import { loadPassiveChecks } from './load-checks.ts';
import { runCheck } from './run-checks.ts';

for (const check of await loadPassiveChecks()) {
  describe(`the check ${check.id}`, () => {
    for (const { name, given, fails, severity } of check.examples) {
      it(`${fails > 0 ? 'fails on' : 'passes'}: ${name}`, () => {
        const found = runCheck(check, toEvidence(toArtifacts(given, check.probes)));
        assert.equal(found.length, fails);
        for (const { group: _, ...finding } of found) {
          ScanFinding.parse({ ...finding, scoreImpact: 0 });
          assert.equal(finding.severity, severity ?? check.severity);
          assert.notEqual(finding.evidence, '');
        }
      });
    }

    it('has examples of different names, and references that are links', () => {
      assert.equal(new Set(check.examples.map(({ name }) => name)).size, check.examples.length);
      for (const reference of check.references) assert.equal(new URL(reference).protocol, 'https:');
    });
  });
}
