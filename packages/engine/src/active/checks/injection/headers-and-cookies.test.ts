import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import { planTests } from '../../../pentest/testing/plan-tests.ts';
import type { PointCheck } from '../../define-active-check.ts';
import type { PointLab } from '../../lab.ts';
import ldap from './ldap-injection.ts';
import xpath from './xpath-injection.ts';

const cases = [ldap, xpath].flatMap((check) =>
  (['header', 'cookie'] as const).map((location) => {
    const lab = (): PointLab => ({ ...check.lab(), location });
    return {
      name: `${check.title} in a ${location}`,
      location,
      check: { ...check, id: `${check.id}-${location}`, lab },
    };
  }),
) as { name: string; location: 'header' | 'cookie'; check: PointCheck }[];

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs(cases.map(({ check }) => check));
});
after(() => labs.close());

for (const { name, check, location } of cases) {
  describe(name, () => {
    it('is planned and found', async () => {
      const parameter = { location, name: 'tea', value: 'green' };
      const item = { method: 'GET' as const, url: 'http://shop.test/', parameters: [parameter], seenAs: null };
      const [step] = planTests([check], { inventory: [{ ...item, contentType: '' }], accounts: [] });
      assert.ok(step);
      assert.equal((await labs.test(check, 'vulnerable')).verified?.confidence, 'CONFIRMED');
    });

    it('is not found where the value is escaped', async () => {
      assert.equal((await labs.test(check, 'safe')).verified, undefined);
    });
  });
}
