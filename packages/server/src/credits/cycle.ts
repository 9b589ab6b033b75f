/** Plans, budgets and allowances run by calendar month, UTC; a cycle is named by its first day. */
export function cycleOf(instant: Date): string {
  return `${instant.toISOString().slice(0, 'yyyy-mm'.length)}-01`;
}

/** A cycle's end is the first instant that no longer belongs to it. */
export function endOfCycle(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1));
}
