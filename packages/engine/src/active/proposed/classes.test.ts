import assert from 'node:assert/strict';
import { it } from 'node:test';
import { classes } from './classes.ts';

it('the class that a planner picks does not decide the severity: all classes of an oracle are rated alike', () => {
  const kinds = new Set(Object.values(classes).flatMap(({ oracles }) => oracles));
  for (const kind of kinds) {
    const own = Object.values(classes).filter(({ oracles }) => oracles.includes(kind));
    assert.deepEqual([...new Set(own.map(({ cvss, cvss4 }) => `${cvss} ${cvss4}`))].length, 1, kind);
  }
});
