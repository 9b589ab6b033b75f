/**
 * Returns the cycle of an instant, named by its first day. Plans, budgets and allowances run by calendar month (UTC).
 */
export function cycleOf(instant: Date): string {
  return `${instant.toISOString().slice(0, 'yyyy-mm'.length)}-01`;
}

/** Returns the end of the cycle, which is exclusive. */
export function endOfCycle(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1));
}
