import type { CreditSource, Role } from '@sortie/contract';
import fc from 'fast-check';
import type { plans, Trouble } from './model.ts';

type Plan = keyof typeof plans;
type TargetChoice = 'lasting' | 'expiring' | 'incomplete' | 'outside' | 'unknown' | 'of another account';

/** Operations of a generated list. Numbers that pick an item are taken modulo the number of items. */
export type Command =
  | { kind: 'start'; key: number; target: TargetChoice; depth: Depth | undefined; trouble: Trouble }
  | { kind: 'retry'; earlier: number; key: number | null; hasOtherBody: boolean; trouble: Trouble }
  | { kind: 'goOn'; attempt: number }
  | { kind: 'cancel'; run: number; member: number }
  | { kind: 'grant'; source: CreditSource; amount: number; days: number | null }
  | { kind: 'cap'; of: 'key' | 'member'; which: number; limit: number | null }
  | { kind: 'plan'; plan: Plan }
  | { kind: 'suspend' }
  | { kind: 'resume' }
  | { kind: 'revoke'; key: number }
  | { kind: 'role'; role: Role | null }
  | { kind: 'assign'; target: number; isAssigned: boolean }
  | { kind: 'apiRuns'; target: number; apiRuns: boolean }
  | { kind: 'attest'; target: number }
  | { kind: 'wait'; seconds: number }
  | { kind: 'waitFor'; what: DueThing; which: number; milliseconds: number }
  | { kind: 'sweep' };

export type CommandOf<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;
export type DueThing = 'grant' | 'claim' | 'answer' | 'giving up' | 'verification';
type Depth = 'LEAD' | 'STANDARD' | 'DEEP';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const pick = fc.nat(9);
const one = <const Value>(value: Value) => fc.constant(value);

const depth = fc.constantFrom<(Depth | undefined)[]>(undefined, 'LEAD', 'LEAD', 'STANDARD', 'DEEP');
const target = fc.constantFrom<TargetChoice[]>(
  ...Array<TargetChoice>(16).fill('lasting'),
  ...Array<TargetChoice>(6).fill('expiring'),
  'incomplete',
  'outside',
  'unknown',
  'of another account',
);
const quickTrouble = fc.constantFrom<Trouble[]>('none', 'none', 'none', 'creation fails', 'hand-over fails');
const trouble = fc.oneof(
  { weight: 5, arbitrary: quickTrouble },
  { weight: 1, arbitrary: fc.constantFrom<Trouble[]>('pauses before creation', 'pauses before hand-over') },
);

const start = fc.record({ kind: one('start'), key: fc.constantFrom(0, 0, 1, 2, 3), target, depth, trouble });
const retry = fc.record({
  kind: one('retry'),
  earlier: pick,
  key: fc.oneof(fc.constant(null), fc.nat(3)),
  hasOtherBody: fc.constantFrom(false, false, true),
  trouble,
});
const cancel = fc.record({ kind: one('cancel'), run: pick, member: fc.nat(1) });
const grant = fc.record({
  kind: one('grant'),
  source: fc.constantFrom<CreditSource>('plan', 'purchased'),
  amount: fc.integer({ min: 4, max: 36 }),
  days: fc.constantFrom(null, null, 1, 3, 10),
});
const cap = fc.record({
  kind: one('cap'),
  of: fc.constantFrom('key' as const, 'member' as const),
  which: fc.nat(3),
  limit: fc.oneof(fc.constant(null), fc.nat(40)),
});
const plan = fc.record({ kind: one('plan'), plan: fc.constantFrom<Plan>('free', 'team', 'business') });
const suspend = fc.record({ kind: one('suspend') });
const resume = fc.record({ kind: one('resume') });
const revoke = fc.record({ kind: one('revoke'), key: fc.nat(3) });
const role = fc.record({
  kind: one('role'),
  role: fc.constantFrom<(Role | null)[]>('MEMBER', 'MEMBER', 'ADMIN', 'VIEWER', null),
});
const assign = fc.record({ kind: one('assign'), target: fc.nat(2), isAssigned: fc.boolean() });
const apiRuns = fc.record({ kind: one('apiRuns'), target: fc.nat(1), apiRuns: fc.boolean() });
const attest = fc.record({ kind: one('attest'), target: fc.nat(2) });
const sweep = fc.record({ kind: one('sweep') });
const wait = fc.oneof(
  fc.record({
    kind: one('wait'),
    seconds: fc.constantFrom(MINUTE, 2 * MINUTE, 3 * MINUTE, 6 * MINUTE, 6 * MINUTE, DAY),
  }),
  fc.record({
    kind: one('waitFor'),
    what: fc.constantFrom<DueThing[]>('grant', 'claim', 'claim', 'answer', 'giving up', 'giving up', 'verification'),
    which: pick,
    milliseconds: fc.constantFrom(-1, 0, 1),
  }),
);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 16, arbitrary: start },
  { weight: 12, arbitrary: retry },
  { weight: 5, arbitrary: fc.record({ kind: one('goOn'), attempt: pick }) },
  { weight: 6, arbitrary: cancel },
  { weight: 5, arbitrary: grant },
  { weight: 3, arbitrary: cap },
  { weight: 2, arbitrary: plan },
  { weight: 1, arbitrary: suspend },
  { weight: 3, arbitrary: resume },
  { weight: 1, arbitrary: revoke },
  { weight: 1, arbitrary: role },
  { weight: 1, arbitrary: assign },
  { weight: 4, arbitrary: apiRuns },
  { weight: 1, arbitrary: attest },
  { weight: 8, arbitrary: wait },
  { weight: 4, arbitrary: sweep },
);

const sure = (trouble: Trouble, change: Partial<CommandOf<'start'>> = {}): fc.Arbitrary<Command> =>
  fc
    .record({ kind: one('start'), key: fc.constantFrom(0, 0, 0, 1, 2, 3), target: one('lasting'), depth })
    .map((given) => {
      return { ...given, trouble, ...change };
    });
/** A start by the owner, at the lowest price. */
const cheap = (trouble: Trouble) => sure(trouble, { key: 0, depth: 'LEAD' });
const again = (trouble: Trouble, key: number | null = null): Command => {
  return { kind: 'retry', earlier: 0, key, hasOtherBody: false, trouble };
};
const assignment = (isAssigned: boolean): Command => ({ kind: 'assign', target: 0, isAssigned });
const goOn: Command = { kind: 'goOn', attempt: 0 };
const cancelLast: Command = { kind: 'cancel', run: 0, member: 0 };
const minutes = (count: number): Command => ({ kind: 'wait', seconds: count * MINUTE });
const untilNextExpiry = fc.constantFrom(0, 0, -1).map((milliseconds): Command => {
  return { kind: 'waitFor', what: 'verification', which: 0, milliseconds };
});
const sweepAll: Command = { kind: 'sweep' };

function tell(...commands: (Command | fc.Arbitrary<Command>)[]): fc.Arbitrary<Command[]> {
  return fc.tuple(...commands.map((each) => (each instanceof fc.Arbitrary ? each : fc.constant(each))));
}

/** Sequences of commands that random generation would hardly ever produce. */
const story: fc.Arbitrary<Command[]> = fc.oneof(
  tell(cheap('pauses before creation'), minutes(2), trouble.map(again), goOn),
  tell(sure('pauses before hand-over'), minutes(2), trouble.map(again), goOn),
  tell(sure('pauses before hand-over'), minutes(6), sweepAll, goOn),
  tell(sure('pauses before hand-over'), cancelLast, goOn),
  tell(sure('hand-over fails'), cancelLast, minutes(2), again('none')),
  tell(cheap('hand-over fails'), minutes(4), again('hand-over fails'), minutes(1), sweepAll),
  tell(sure('hand-over fails'), minutes(6), sweepAll, again('none')),
  tell(cheap('hand-over fails'), minutes(6), again('none')),
  tell(untilNextExpiry, sure('none', { key: 0, target: 'expiring', depth: 'LEAD' })),
  tell({ kind: 'role', role: 'VIEWER' }, sure('none', { key: 2, depth: 'LEAD' }), { kind: 'role', role: 'MEMBER' }),
  tell(suspend, sure('none'), { kind: 'resume' }),
  tell(sure('none', { key: 2, depth: 'DEEP' })),
  tell({ kind: 'revoke', key: 3 }, sure('none', { key: 3 })),
  tell(sure('hand-over fails'), again('none')),
  tell(cheap('creation fails'), again('none')),
  tell(cheap('none'), assignment(false), again('none', 2), assignment(true), again('none', 2)),
  tell(cheap('hand-over fails'), assignment(false), minutes(2), again('none', 2), assignment(true)),
  tell(...Array<fc.Arbitrary<Command>>(4).fill(sure('none', { key: 0, depth: 'DEEP' }))),
  tell({ kind: 'plan', plan: 'free' }, ...Array<fc.Arbitrary<Command>>(4).fill(sure('none', { depth: 'LEAD' }))),
);

/** A list begins with credits of different expiries, so that there is something to overspend. */
export const commandList: fc.Arbitrary<Command[]> = fc
  .tuple(
    fc.tuple(grant, grant),
    fc.array(fc.oneof({ weight: 2, arbitrary: command.map((each) => [each]) }, { weight: 1, arbitrary: story }), {
      maxLength: 24,
      size: 'max',
    }),
  )
  .map(([[lasting, expiring], rest]) => [{ ...lasting, days: null }, { ...expiring, days: 1 }, ...rest.flat()]);

const stormyStart = start.chain((given) =>
  quickTrouble.map((quick): Command => ({ ...given, target: 'lasting', trouble: quick })),
);
const stormyRetry = retry.chain((given) => quickTrouble.map((quick): Command => ({ ...given, trouble: quick })));

const stormy: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: stormyStart },
  { weight: 8, arbitrary: stormyRetry },
  { weight: 4, arbitrary: cancel.map((given): Command => ({ ...given, member: 0 })) },
  { weight: 2, arbitrary: grant },
  { weight: 1, arbitrary: sweep },
  { weight: 1, arbitrary: plan },
  { weight: 2, arbitrary: suspend },
  { weight: 1, arbitrary: resume },
  { weight: 1, arbitrary: revoke },
  { weight: 1, arbitrary: role },
  { weight: 1, arbitrary: apiRuns },
);

/** Concurrent requests: first only equal starts, then all kinds. */
export interface Rush {
  /** The amounts of three grants; the last one expires in a day. */
  amounts: number[];
  plan: Plan;
  depth: Depth;
  starts: number;
  budget: number | null;
  /** The delay between the equal starts and the storm. */
  wait: number;
  failing: Command[];
  storm: { command: Command; times: number }[];
  /** Starts that arrive while the clock moves. */
  late: number;
}

export const rush: fc.Arbitrary<Rush> = fc.record({
  amounts: fc.array(fc.integer({ min: 4, max: 40 }), { minLength: 3, maxLength: 3 }),
  plan: fc.constantFrom<Plan[]>('free', 'team', 'business', 'business', 'business'),
  depth: fc.constantFrom<Depth[]>('LEAD', 'STANDARD', 'DEEP'),
  starts: fc.integer({ min: 4, max: 10 }),
  budget: fc.oneof(fc.constant(null), fc.constant(null), fc.nat(60)),
  wait: fc.constantFrom(0, 2 * MINUTE, 5 * MINUTE, 6 * MINUTE, 6 * MINUTE, 6 * MINUTE, 2 * DAY),
  failing: tell(cheap('hand-over fails'), cheap('hand-over fails'), cheap('creation fails')),
  storm: fc.array(fc.record({ command: stormy, times: fc.integer({ min: 1, max: 2 }) }), {
    maxLength: 24,
    size: 'max',
  }),
  late: fc.integer({ min: 2, max: 5 }),
});
