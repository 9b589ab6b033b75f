import type { FindingRetest } from '@sortie/contract';

const outcomes: Readonly<Record<NonNullable<FindingRetest['outcome']>, string>> = {
  GONE: 'Gone',
  STILL_THERE: 'Still there',
  VOID: 'Could not test',
};

/** What a retest says about a finding so far. */
export function describeRetest({ outcome, startedAt }: Pick<FindingRetest, 'outcome' | 'startedAt'>): string {
  if (outcome !== null) return outcomes[outcome] ?? outcome;
  return startedAt === null ? 'Waiting for a free worker or for the testing window' : 'Testing';
}

export const describeOutcome = (outcome: NonNullable<FindingRetest['outcome']>): string => outcomes[outcome] ?? outcome;
