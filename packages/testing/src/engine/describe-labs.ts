import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ActiveCheck, CheckAbout, Subjects } from '../../../engine/src/active/define-active-check.ts';
import { openLabs } from './labs.ts';

/** Describes what the lab of each of these checks shows: the flaw is found, its safe twin is not. */
export function describeLabs(what: string, checks: readonly ActiveCheck[]): void {
  let labs: Awaited<ReturnType<typeof openLabs>>;

  describe(what, () => {
    before(async () => {
      labs = await openLabs(checks);
    });
    after(() => labs.close());

    for (const one of checks) {
      const check = one as CheckAbout<keyof Subjects, unknown>;
      const lab = check.lab();
      const { confidence = 'CONFIRMED' } = 'item' in lab ? lab : {};
      it(`${check.id} finds its flaw in the lab, ${confidence}, within its budget`, async () => {
        const { isApplied, verified, requests, course } = await labs.test(check, 'vulnerable');
        assert.ok(isApplied, course);
        assert.ok(verified?.confidence === confidence, `${verified?.confidence ?? 'no finding'}\n${course}`);
        assert.ok(requests <= check.maxRequests, `${requests} requests, but maxRequests is ${check.maxRequests}`);
      });

      it(`${check.id} stays silent on the safe twin, within its budget`, async () => {
        const { verified, requests, course } = await labs.test(check, 'safe');
        assert.ok(!verified, `${verified?.confidence}\n${course}`);
        assert.ok(requests <= check.maxRequests, `${requests} requests, but maxRequests is ${check.maxRequests}`);
      });
    }
  });
}
