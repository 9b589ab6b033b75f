/** The public interface of credits for other features. Every change needs the caller's own transaction. */
export { checkInvariants } from './check-invariants.ts';
export { adjustCredits, findBooked, grantCredits, grantPlanCredits, LARGEST_AMOUNT } from './grant.ts';
export { holdCredits } from './hold.ts';
export { findHold } from './hold-store.ts';
export { createBalanceReader, readAccountBalance, readCaps } from './read-balance.ts';
export { readCapsOfKeys, readCapsOfMembers } from './read-caps.ts';
export { type HoldColumns, holdColumns, readCreditsOfRuns, readRunCredits, toRunCredits } from './read-run-credits.ts';
export { readUsage } from './read-usage.ts';
export { returnAll, settlePart } from './settle.ts';
