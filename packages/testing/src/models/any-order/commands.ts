import fc from 'fast-check';
import { type Depth, ends, levels, type Outcome, phases } from './model.ts';

/** Operations on an account and its runs. Numbers that pick an item are taken modulo the number of items. */
export type Command =
  | { kind: 'start'; depth: Depth; isHandedOver: boolean }
  | { kind: 'take'; isLasting: boolean }
  | { kind: 'enterPhase'; worker: number; phase: (typeof phases)[number] }
  | { kind: 'saveStep'; worker: number; step: number; work: Work }
  | { kind: 'end'; worker: number; outcome: Outcome }
  | { kind: 'heartbeat'; worker: number; isLasting: boolean }
  | { kind: 'giveBack'; worker: number; how: 'in order' | 'after a crash' | 'to rest' }
  | { kind: 'cancel'; run: number }
  | { kind: 'takeReport'; run: number; reviewer: number; isForced: boolean }
  | { kind: 'signOff' | 'reject'; run: number; reviewer: number | null }
  | { kind: 'reopen'; run: number }
  | { kind: 'suspend' | 'resume' | 'sweep' }
  | { kind: 'advance'; seconds: number };

export type CommandOf<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

/** Usage in thousandths of each budget, plus or minus one, to hit the boundaries between credits. */
export interface Work {
  thousandths: number[];
  nudge: number;
}

const depth = fc.constantFrom<Depth>('LEAD', 'STANDARD', 'STANDARD', 'DEEP');
/** Without fast-check's bias towards 0. */
const anyNumber = (max: number) => fc.noBias(fc.nat(max));
const pick = anyNumber(11);
const oftenTrue = fc.constantFrom(true, true, true, false);
const reviewer = fc.nat(1);
const perhapsReviewer = fc.constantFrom(null, 0, 0, 1);
const thousandths = fc.oneof(fc.constant(0), anyNumber(60), anyNumber(600), fc.constant(1_100));
const work = fc.record({
  thousandths: fc.array(thousandths, { minLength: 3, maxLength: 3 }),
  nudge: fc.constantFrom(-1, 0, 1),
});
const DAY = 24 * 3_600;

const constant = <Kind extends string>(kind: Kind) => fc.constant(kind);
const start = fc.record({ kind: constant('start'), depth, isHandedOver: oftenTrue });
const take = fc.record({ kind: constant('take'), isLasting: fc.boolean() });
const enterPhase = fc.record({ kind: constant('enterPhase'), worker: pick, phase: fc.constantFrom(...phases) });
const saveStep = fc.record({ kind: constant('saveStep'), worker: pick, step: anyNumber(5), work });
const outcome = fc.constantFrom<Outcome>('COMPLETED', ...ends);
const end = fc.record({ kind: constant('end'), worker: pick, outcome });
const heartbeat = fc.record({ kind: constant('heartbeat'), worker: pick, isLasting: oftenTrue });
const giveBack = fc.record({
  kind: constant('giveBack'),
  worker: pick,
  how: fc.constantFrom('in order' as const, 'after a crash' as const, 'to rest' as const),
});
const cancel = fc.record({ kind: constant('cancel'), run: pick });
const takeReport = fc.record({
  kind: constant('takeReport'),
  run: pick,
  reviewer,
  isForced: fc.constantFrom(false, false, true),
});
const signOff = fc.record({ kind: constant('signOff'), run: pick, reviewer: perhapsReviewer });
const reject = fc.record({ kind: constant('reject'), run: pick, reviewer: perhapsReviewer });
const reopen = fc.record({ kind: constant('reopen'), run: pick });
const suspend = fc.record({ kind: constant('suspend') });
const resume = fc.record({ kind: constant('resume') });
const sweep = fc.record({ kind: constant('sweep') });
const advance = fc.record({
  kind: constant('advance'),
  seconds: fc.constantFrom(150, 301, 301, DAY, 2 * DAY, 4 * DAY, 8 * DAY),
});

/**
 * The amounts of three grants: one of the plan that expires soon, a purchased one that expires later, and one without
 * expiry.
 */
export type Amounts = [number, number, number];
const amounts: fc.Arbitrary<Amounts> = fc.tuple(
  fc.integer({ min: 1, max: 3_000 }),
  fc.integer({ min: 1, max: 3_000 }),
  fc.integer({ min: 5_000, max: 14_000 }),
);

/** For tests with other proportions. */
export const arbitraries = {
  take,
  enterPhase,
  saveStep,
  end,
  heartbeat,
  giveBack,
  cancel,
  takeReport,
  signOff,
  reject,
  reopen,
  suspend,
  sweep,
  advance,
  depth,
  work,
  amounts,
};

const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 7, arbitrary: start },
  { weight: 11, arbitrary: take },
  { weight: 7, arbitrary: enterPhase },
  { weight: 8, arbitrary: saveStep },
  { weight: 6, arbitrary: end },
  { weight: 4, arbitrary: heartbeat },
  { weight: 3, arbitrary: giveBack },
  { weight: 3, arbitrary: cancel },
  { weight: 6, arbitrary: takeReport },
  { weight: 4, arbitrary: signOff },
  { weight: 5, arbitrary: reject },
  { weight: 5, arbitrary: reopen },
  { weight: 1, arbitrary: suspend },
  { weight: 4, arbitrary: resume },
  { weight: 5, arbitrary: advance },
  { weight: 5, arbitrary: sweep },
);

/** Commands that run one after another. */
export interface List {
  amounts: Amounts;
  commands: Command[];
}

const takeForShort: Command = { kind: 'take', isLasting: false };
const takeForLong: Command = { kind: 'take', isLasting: true };
const nearlyDone: Command = { kind: 'enterPhase', worker: 2, phase: 'ANALYSIS' };
const completed: Command = { kind: 'end', worker: 2, outcome: 'COMPLETED' };
const takenUp: Command = { kind: 'takeReport', run: 1, reviewer: 0, isForced: false };
const rejected: Command = { kind: 'reject', run: 1, reviewer: null };
const signedOff: Command = { kind: 'signOff', run: 1, reviewer: null };
/** Prefixes that bring a run into states that random commands rarely reach. */
const beginning = fc
  .record({ kind: constant('saveStep'), worker: fc.constant(2), step: fc.constant(0), work })
  .chain((worked) =>
    fc.constantFrom<Command[]>(
      [],
      [takeForShort, worked, takeForLong, nearlyDone],
      [takeForLong, nearlyDone, worked],
      [takeForLong, worked, completed],
      [takeForShort, worked, takeForLong, completed, takenUp],
      [takeForLong, worked, completed, takenUp, rejected],
      [takeForLong, worked, completed, takenUp, signedOff],
    ),
  );

export const list: fc.Arbitrary<List> = fc
  .record({
    amounts,
    starts: fc.array(start, { minLength: 3, maxLength: 3 }),
    beginning,
    rest: fc.array(commands, { minLength: 15, maxLength: 25, size: 'max' }),
  })
  .map(({ amounts, starts, beginning, rest }) => {
    return { amounts, commands: [...starts, ...beginning, ...rest] };
  });

/** Converts thousandths to the units of the level's budgets. */
export function toUsed({ thousandths, nudge }: Work, depth: Depth) {
  const allowed = levels[depth];
  const part = (index: number, whole: number) => {
    const credits = Math.floor(((thousandths[index] ?? 0) * allowed.testing) / 1_000);
    return Math.max(0, Math.floor((credits * whole) / allowed.testing) + nudge);
  };
  return {
    engineMs: part(0, allowed.engineMs),
    requests: part(1, allowed.requests),
    modelMicrodollars: part(2, allowed.modelMicrodollars),
  };
}
