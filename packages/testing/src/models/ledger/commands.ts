import type { CreditPart, CreditSource } from '@sortie/contract';
import fc from 'fast-check';

/** Operations of a generated list. Numbers that pick an item are taken modulo the number of items. */
export type Command =
  | { kind: 'grant'; source: CreditSource; amount: number; days: number | null }
  | { kind: 'adjust'; source: CreditSource; amount: number; days: number | null }
  | { kind: 'plan'; plan: keyof typeof testPlans }
  | { kind: 'hold'; key: number | null; member: number; testing: number; review: number }
  | { kind: 'settle'; run: number; part: CreditPart; percent: number }
  | { kind: 'return'; run: number; isStarted: boolean }
  | { kind: 'cap'; of: 'key' | 'member'; which: number; limit: number | null }
  | { kind: 'wait'; days: number }
  | { kind: 'waitForExpiry'; grant: number; milliseconds: number }
  | { kind: 'waitForMonth' }
  | { kind: 'sweep' }
  | { kind: 'repeat'; earlier: number };

/** Small, so that the grants of a list run out. */
export const testPlans = { free: 0, team: 25, business: 60 };

const source = fc.constantFrom<CreditSource>('plan', 'purchased');
const part = fc.constantFrom<CreditPart>('testing', 'review');
const pick = fc.nat(9);
/** Equal expiries are likely on purpose: they exercise the second and third rule of the spending order. */
const days = fc.oneof(fc.constant(null), fc.constantFrom(1, 3, 10, 10, 20, 45));
const percent = fc.oneof({ weight: 1, arbitrary: fc.constantFrom(0, 100) }, { weight: 2, arbitrary: fc.nat(100) });

const grant = fc.record({ kind: fc.constant('grant' as const), source, amount: fc.integer({ min: 1, max: 60 }), days });
const hold = fc.record({
  kind: fc.constant('hold' as const),
  key: fc.oneof(fc.constant(null), fc.nat(1)),
  member: fc.nat(1),
  testing: fc.integer({ min: 1, max: 40 }),
  review: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 25 })),
});
const settle = fc.record({ kind: fc.constant('settle' as const), run: pick, part, percent });
const returned = fc.record({ kind: fc.constant('return' as const), run: pick, isStarted: fc.boolean() });
const adjust = fc.record({
  kind: fc.constant('adjust' as const),
  source,
  amount: fc.integer({ min: -40, max: 20 }).filter((amount) => amount !== 0),
  days,
});
const plan = fc.record({
  kind: fc.constant('plan' as const),
  plan: fc.constantFrom<keyof typeof testPlans>('free', 'team', 'business'),
});
const cap = fc.record({
  kind: fc.constant('cap' as const),
  of: fc.constantFrom('key' as const, 'member' as const),
  which: fc.nat(1),
  limit: fc.oneof(fc.constant(null), fc.nat(60)),
});
const sweep = fc.record({ kind: fc.constant('sweep' as const) });
const repeat = fc.record({ kind: fc.constant('repeat' as const), earlier: fc.nat(30) });
const wait = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 9 }) }),
  fc.record({
    kind: fc.constant('waitForExpiry' as const),
    grant: pick,
    milliseconds: fc.constantFrom(-1, 0, 1),
  }),
  fc.record({ kind: fc.constant('waitForMonth' as const) }),
);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: grant },
  { weight: 7, arbitrary: hold },
  { weight: 6, arbitrary: settle },
  { weight: 2, arbitrary: returned },
  { weight: 2, arbitrary: adjust },
  { weight: 3, arbitrary: plan },
  { weight: 3, arbitrary: cap },
  { weight: 4, arbitrary: wait },
  { weight: 1, arbitrary: sweep },
  { weight: 3, arbitrary: repeat },
);

const drawn = (testing: number): Command => ({ kind: 'hold', key: null, member: 0, testing, review: 0 });
const unused = (run: number): Command => ({ kind: 'settle', run, part: 'testing', percent: 0 });
const waited = (count: number): Command => ({ kind: 'wait', days: count });

/** Sequences of commands that random generation would hardly ever produce. */
const story: fc.Arbitrary<Command[]> = fc.constantFrom<Command[][]>(
  ...Array<Command[]>(8).fill([]),
  // Credits of a grace period that are held beyond its end.
  [drawn(20), waited(11), unused(0), drawn(10), waited(8), unused(0)],
  // Two runs with credits of one grant.
  [drawn(2), drawn(2), waited(11), unused(0), waited(2), unused(1)],
);

/** A list begins with three grants of different expiries, because a single grant has no spending order. */
export const commandList: fc.Arbitrary<Command[]> = fc
  .tuple(fc.tuple(grant, grant, grant), story, fc.array(command, { minLength: 8, maxLength: 23, size: 'max' }))
  .map(([[first, second, third], begun, rest]) => [
    { ...first, days: null },
    { ...second, days: 3 },
    { ...third, days: 10 },
    ...begun,
    ...rest,
  ]);

const storm: fc.Arbitrary<Command> = fc.oneof(
  { weight: 1, arbitrary: grant },
  { weight: 3, arbitrary: hold },
  { weight: 5, arbitrary: settle },
  { weight: 2, arbitrary: returned },
  { weight: 1, arbitrary: adjust },
  { weight: 1, arbitrary: plan },
  { weight: 1, arbitrary: sweep },
);

/** Commands that several connections send concurrently, after a burst of starts. */
export interface Rush {
  /** The amounts of three grants; the last one has expired when the storm begins. */
  amounts: number[];
  price: { testing: number; review: number };
  starts: number;
  budget: number | null;
  /** Each may be sent more than once, and may be rolled back. */
  storm: { command: Command; times: number; rolledBack: boolean }[];
}

export const rush: fc.Arbitrary<Rush> = fc.record({
  amounts: fc.array(fc.integer({ min: 5, max: 60 }), { minLength: 3, maxLength: 3 }),
  price: fc.record({ testing: fc.integer({ min: 1, max: 12 }), review: fc.nat(6) }),
  starts: fc.integer({ min: 4, max: 9 }),
  budget: fc.oneof(fc.constant(null), fc.nat(120)),
  storm: fc.array(fc.record({ command: storm, times: fc.integer({ min: 1, max: 2 }), rolledBack: fc.boolean() }), {
    minLength: 8,
    maxLength: 16,
    size: 'max',
  }),
});
