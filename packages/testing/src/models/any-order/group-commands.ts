import fc from 'fast-check';
import { type Amounts, arbitraries, type Command, type Work } from './commands.ts';
import type { Depth } from './model.ts';

const { take, enterPhase, saveStep, end, heartbeat, giveBack, cancel } = arbitraries;
const { takeReport, signOff, reject, reopen, suspend, sweep, advance } = arbitraries;
const { depth, work, amounts } = arbitraries;

/** The state of the run that the commands of a group compete for. */
export type Readiness =
  | 'queued'
  | 'silent'
  | 'not handed over'
  | 'overdue'
  | 'working'
  | 'taken over'
  | 'completed'
  | 'with a reviewer'
  | 'rejected';

const whileWaiting: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: take },
  { weight: 4, arbitrary: cancel },
  { weight: 1, arbitrary: suspend },
  { weight: 2, arbitrary: saveStep },
  { weight: 3, arbitrary: end },
  { weight: 1, arbitrary: giveBack },
  { weight: 1, arbitrary: advance },
);

const whileNotHandedOver: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: sweep },
  { weight: 5, arbitrary: cancel },
  { weight: 2, arbitrary: suspend },
  { weight: 3, arbitrary: advance },
  { weight: 2, arbitrary: take },
);

const whileWorking: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: take },
  { weight: 3, arbitrary: enterPhase },
  { weight: 5, arbitrary: saveStep },
  { weight: 7, arbitrary: end },
  { weight: 3, arbitrary: heartbeat },
  { weight: 3, arbitrary: giveBack },
  { weight: 5, arbitrary: cancel },
  { weight: 1, arbitrary: takeReport },
  { weight: 2, arbitrary: suspend },
  { weight: 2, arbitrary: advance },
);

const whileReviewed: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: takeReport },
  { weight: 7, arbitrary: signOff },
  { weight: 6, arbitrary: reject },
  { weight: 4, arbitrary: reopen },
  { weight: 2, arbitrary: cancel },
  { weight: 1, arbitrary: saveStep },
  { weight: 2, arbitrary: end },
  { weight: 1, arbitrary: suspend },
  { weight: 1, arbitrary: advance },
  { weight: 1, arbitrary: sweep },
);

/** Several concurrent commands. */
export interface Group {
  readiness: Readiness;
  depth: Depth;
  work: Work;
  /** The age of the run in days, which may exceed the lifetime of the credits held for it. */
  days: number;
  commands: Command[];
}

interface GroupKind {
  readiness: readonly Readiness[];
  depth: fc.Arbitrary<Depth>;
  command: fc.Arbitrary<Command>;
  /** Commands that every group includes. */
  always?: Command[];
}

const MOST_AT_ONCE = 5;

function groupOf({ readiness, depth, command, always = [] }: GroupKind): fc.Arbitrary<Group> {
  const { length } = always;
  const commands = fc
    .array(command, { minLength: 2 - length, maxLength: MOST_AT_ONCE - length, size: 'max' })
    .map((some) => withOneMoveOfClock([...always, ...some]));
  const days = fc.constantFrom(0, 0, 2, 4);
  return fc.record({ readiness: fc.constantFrom(...readiness), depth, work, days, commands });
}

/**
 * Keeps at most one clock move, and none during a suspension: which runs are settled before the move is unspecified.
 */
function withOneMoveOfClock(commands: Command[]): Command[] {
  const isSuspended = commands.some(({ kind }) => kind === 'suspend');
  const move = isSuspended ? undefined : commands.find(({ kind }) => kind === 'advance');
  return commands.filter((command) => command.kind !== 'advance' || command === move);
}

const smallDepth = fc.constantFrom<Depth>('LEAD', 'STANDARD', 'STANDARD');
const takeForLong: Command = { kind: 'take', isLasting: true };
const waiting: GroupKind = {
  readiness: ['queued', 'silent'],
  depth: smallDepth,
  command: whileWaiting,
  always: [takeForLong, takeForLong],
};
const notHandedOver: GroupKind = {
  readiness: ['not handed over', 'overdue'],
  depth: smallDepth,
  command: whileNotHandedOver,
};
const working: GroupKind = { readiness: ['working', 'taken over'], depth, command: whileWorking };
const reviewed: GroupKind = {
  readiness: ['completed', 'with a reviewer', 'rejected'],
  depth: fc.constant('STANDARD'),
  command: whileReviewed,
};

const group: fc.Arbitrary<Group> = fc.oneof(
  { weight: 2, arbitrary: groupOf(waiting) },
  { weight: 1, arbitrary: groupOf(notHandedOver) },
  { weight: 3, arbitrary: groupOf(working) },
  { weight: 3, arbitrary: groupOf(reviewed) },
);

export interface Storm {
  amounts: Amounts;
  groups: Group[];
}

export const storm: fc.Arbitrary<Storm> = fc.record({
  amounts,
  groups: fc.array(group, { minLength: 3, maxLength: 6, size: 'max' }),
});
