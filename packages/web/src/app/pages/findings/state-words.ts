import type { AccountFinding, FindingState } from '@sortie/contract';
import { formatDay } from '../../look/format.ts';

export const stateWords: Readonly<Record<FindingState, string>> = {
  OPEN: 'Open',
  ACCEPTED: 'Accepted',
  FALSE_POSITIVE: 'False positive',
  FIXED: 'Fixed',
};

export const historyWords: Readonly<Record<string, string>> = {
  NEW: 'New',
  OPEN: 'Still open',
  REGRESSION: 'Regression',
};

/** For example "Accepted until 1 Mar 2027". */
export function describeState({ state, acceptedUntil }: Pick<AccountFinding, 'state' | 'acceptedUntil'>): string {
  const words = stateWords[state] ?? state;
  return acceptedUntil === null ? words : `${words} until ${formatDay(acceptedUntil)}`;
}
