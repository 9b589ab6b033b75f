/** What other features may do with credits. Everything that changes them needs the caller's own transaction. */
export { checkInvariants } from './check-invariants.ts';
export { adjustCredits, findBooked, grantCredits, grantPlanCredits, LARGEST_AMOUNT } from './grant.ts';
export { holdCredits } from './hold.ts';
export { createBalanceReader, readAccountBalance } from './read-balance.ts';
export { readCreditsOfRuns, readRunCredits } from './read-run-credits.ts';
export { readUsage } from './read-usage.ts';
export { returnAll, settlePart } from './settle.ts';
