import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { toFinding } from '../pentest/testing/build-finding.ts';
import type { Point } from './define-active-check.ts';
import { loadActiveChecks } from './load-checks.ts';
import { LOCKOUT_CHECKS } from './lockout-checks.ts';
import { proposedChecks } from './proposed/proposed-checks.ts';
import { fingerprintId } from './renamed-ids.ts';

const checks = await loadActiveChecks();
const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
const frozen = await readFile(new URL('check-ids.txt', import.meta.url), 'utf8');
const [first = '', ...published] = frozen.trimEnd().split('\n');
const publishedWith = /^# Published with version (\S+)$/.exec(first)?.[1];
const place: Point = {
  item: {
    method: 'GET',
    url: 'https://shop.test/orders/7?a=1',
    parameters: [{ location: 'path', name: '1', value: '7' }],
    seenAs: null,
    contentType: '',
  },
  parameter: { location: 'query', name: 'a', value: '1' },
};

const identity = { targetUrl: 'https://shop.test/' };

describe('the checks that may lock logins', () => {
  for (const id of LOCKOUT_CHECKS) {
    it(`exist, and try logins: ${id}`, () => {
      assert.equal(checks.find((check) => check.id === id)?.isForLogins, true);
    });
  }
});

describe('the families of the active checks', () => {
  const families = Map.groupBy(
    checks.filter(({ family }) => family),
    ({ family }) => family?.name,
  );
  for (const [name, members] of families) {
    it(`contain checks of one severity: ${name}`, () => {
      const severities = members.map(
        (check) => toFinding(check, place, { confidence: 'FIRM', exhibits: [] }, [], identity).severity,
      );
      assert.ok(members.length > 1);
      assert.deepEqual([...new Set(severities)], severities.slice(0, 1));
    });
  }
});

describe('the ids of the active checks', () => {
  const all = [...checks, ...proposedChecks.map((check) => ({ ...check, group: 'proposed' }))];
  const lines = all.map(({ group, id, flaw }) => `${group}/${id} ${flaw?.name ?? fingerprintId(id)}`);

  it('are frozen once published, with their groups and the names that fingerprints are made of', () => {
    assert.ok(published.length > 0);
    // Any difference breaks the baselines of customers.
    assert.deepEqual(
      published.filter((line) => !lines.includes(line)),
      [],
    );
  });

  it('are published with a version: a new one adds those that are new', () => {
    if (publishedWith === version) return;
    assert.deepEqual(lines.sort(), published, 'check-ids.txt lists every check');
    assert.equal(publishedWith, version, 'check-ids.txt names the version in its first line');
  });

  it('were not the ids of other checks', () => {
    const ids = new Set(checks.map(({ id }) => id));
    const former = checks.map(({ id }) => fingerprintId(id)).filter((id, index) => id !== checks[index]?.id);
    assert.ok(former.length > 0);
    assert.deepEqual(
      former.filter((id) => ids.has(id)),
      [],
    );
  });

  const before = {
    'idor-read': 'a78c92baaceddefd9cfa16af8ac102efbc61147819b44f7f067c28946a6d545b',
    'nosql-injection-operator': '111b9493f13cf1ec3d5f9e7369e8aebfd36bc63e8bc0d854aa85c80514f3c44e',
    ssrf: 'a6d131444a2ac62c2394a983a6f20162a87695f5fdf137083143fe5fc99c4620',
    'jwt-alg-none': '65be042d3446e20e57b6576a5ab8a12d94f7b3f92292ea22dee96f32ec8ae707',
    'open-redirect': '23a959fc285e9a3de5bccd3fa3544d0949113682087568c5ea02c902e0f2fdf9',
  };
  for (const [id, fingerprint] of Object.entries(before)) {
    it(`changed, and findings still name the fingerprint that they had before: ${id}`, () => {
      const check = checks.find((each) => each.id === id);
      assert.ok(check);
      const { formerFingerprints } = toFinding(check, place, { confidence: 'FIRM', exhibits: [] }, [], identity);
      assert.deepEqual(formerFingerprints, [fingerprint]);
    });
  }
});
