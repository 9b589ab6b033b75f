import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { CheckAbout, Subjects } from './define-active-check.ts';
import { loadActiveChecks } from './load-checks.ts';

const checks = await loadActiveChecks();

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs(checks);
});
after(() => labs.close());

describe('an active check', () => {
  it('is one file with its lab', () => assert.ok(checks.length >= 3));

  for (const one of checks) {
    const check = one as CheckAbout<keyof Subjects, unknown>;
    const lab = check.lab();
    const { confidence = 'CONFIRMED' } = 'item' in lab ? lab : {};
    it(`${check.id} finds its flaw in the lab, ${confidence}, within its budget`, async () => {
      const { isApplied, verified, requests } = await labs.test(check, 'vulnerable');
      assert.ok(isApplied);
      assert.equal(verified?.confidence, confidence);
      assert.ok(requests <= check.maxRequests, `${requests} requests`);
    });

    it(`${check.id} stays silent on the safe twin, within its budget`, async () => {
      const { verified, requests } = await labs.test(check, 'safe');
      assert.equal(verified, undefined);
      assert.ok(requests <= check.maxRequests, `${requests} requests`);
    });
  }
});
