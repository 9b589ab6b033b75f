import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { splitCharge, takeInOrder } from './slices.ts';

const grants = fc
  .array(
    fc.record({
      source: fc.constantFrom('plan' as const, 'purchased' as const),
      available: fc.nat(50),
      expiresAt: fc.constantFrom(null, new Date('2030-01-01'), new Date('2030-02-01'), new Date('2030-03-01')),
    }),
    { maxLength: 8 },
  )
  .map((all) => all.map((grant, id) => ({ id, ...grant })));
const amounts = fc.array(fc.nat(80), { minLength: 1, maxLength: 3 });

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

describe('taking credits in order', () => {
  it('takes exactly what is asked for, and refuses only what the grants do not cover', () => {
    fc.assert(
      fc.property(grants, amounts, (all, wanted) => {
        const taken = takeInOrder(all, wanted);
        assert.equal(taken === null, sum(wanted) > sum(all.map((grant) => grant.available)));
        if (taken)
          assert.deepEqual(
            taken.map((slices) => sum(slices.map((slice) => slice.amount))),
            wanted,
          );
      }),
    );
  });

  it('empties every grant before it begins with one that is spent later', () => {
    fc.assert(
      fc.property(grants, amounts, (all, wanted) => {
        const slices = (takeInOrder(all, wanted) ?? []).flat();
        const ordered = all.toSorted(
          (a, b) =>
            (a.expiresAt?.getTime() ?? 8e15) - (b.expiresAt?.getTime() ?? 8e15) ||
            a.source.localeCompare(b.source) ||
            a.id - b.id,
        );
        let left = sum(slices.map((slice) => slice.amount));
        for (const grant of ordered) {
          const taken = sum(slices.filter((slice) => slice.grantId === grant.id).map((slice) => slice.amount));
          assert.equal(taken, Math.min(grant.available, left));
          left -= taken;
        }
      }),
    );
  });

  it('does not touch the grants it was given', () => {
    const given = [{ id: 1, source: 'plan' as const, available: 10, expiresAt: null }];
    takeInOrder(given, [4]);
    assert.equal(given[0]?.available, 10);
  });
});

describe('splitting a charge', () => {
  it('charges from the front and returns from the back', () => {
    const slices = [10, 20, 30].map((amount, grantId) => ({ grantId, amount }));
    assert.deepEqual(
      splitCharge(slices, 15).map(({ charged, returned }) => [charged, returned]),
      [
        [10, 0],
        [5, 15],
        [0, 30],
      ],
    );
  });
});
