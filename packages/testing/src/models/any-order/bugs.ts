import type { Bug } from '../kit/planted-bugs.ts';

export interface OrderBug extends Bug {
  /** Some bugs are only detectable when operations run concurrently. */
  foundBy: 'lists' | 'rushes';
}

/** Bugs in the ownership of leases. */
const workerBugs: Bug[] = [
  {
    name: 'a worker that has lost its run still saves steps',
    file: 'pentests/work.ts',
    find: ".updateTable('pentest')\n    .where('id', '=', id)\n    .where('lease_epoch', '=', epoch)",
    replace: ".updateTable('pentest').where('id', '=', id)",
  },
  {
    name: 'a worker that has lost its run still ends it',
    file: 'pentests/end-store.ts',
    find: '.$if(epoch !== undefined,',
    replace: '.$if(epoch === -1,',
  },
  {
    name: 'the end of a run does not raise its epoch',
    file: 'pentests/end-store.ts',
    find: 'lease_epoch: sql<number>`lease_epoch + 1`,',
    replace: '',
  },
  {
    name: 'a worker that has lost its run prolongs the lease of the one that has it',
    file: 'jobs/leases.ts',
    find: 'run.lease_epoch = lease.epoch and ',
    replace: '',
  },
  {
    name: 'a run is taken from a worker that is alive',
    file: 'pentests/work.ts',
    find: 'and (lease_until is null or lease_until <= clock_timestamp())',
    replace: '',
  },
  {
    name: 'a run goes back to an earlier phase',
    file: 'pentests/work.ts',
    find: '> ${position(sql.ref(',
    replace: '<> ${position(sql.ref(',
  },
];

/** Bugs in the end of a run and its charge. */
const endBugs: Bug[] = [
  {
    name: 'a run that is over is ended again',
    file: 'pentests/end-store.ts',
    find: ".where('completed_at', 'is', null)",
    replace: '',
  },
  {
    name: 'a cancelled run keeps the share of its review',
    file: 'pentests/end-run.ts',
    find: 'if (!isReviewed) await settlePart',
    replace: "if (!isReviewed && outcome !== 'CANCELLED') await settlePart",
  },
  {
    name: 'a run that was cancelled before it started counts as charged',
    file: 'pentests/end-run.ts',
    find: "outcome !== 'FAILED' && run.isStarted",
    replace: "outcome !== 'FAILED'",
  },
  {
    name: 'a cancelled run costs the minimum',
    file: 'pentests/end-run.ts',
    find: "outcome === 'COMPLETED' ? MINIMUM_CHARGE : 0",
    replace: 'MINIMUM_CHARGE',
  },
  {
    name: 'a run that was cancelled in the queue prolongs its credits',
    file: 'pentests/end-run.ts',
    find: 'await returnAll(tx, run.id, run.isStarted);',
    replace: 'await returnAll(tx, run.id, true);',
  },
  {
    name: 'a charge is rounded down',
    file: 'pentests/charge.ts',
    find: 'parts + BigInt(allowed) - 1n',
    replace: 'parts',
  },
];

/** Bugs in reports and reviews. */
const reviewBugs: Bug[] = [
  {
    name: 'a report is signed off in any state, by anybody',
    file: 'review/decide.ts',
    find: 'const { id, reviewerId } = await requireTaken(tx, review, change.reviewer);',
    replace: 'const { id, reviewerId } = review;',
  },
  {
    name: 'a rejection returns the share of the review',
    file: 'review/decide.ts',
    find: "await markDecided(tx, id, 'REJECTED');",
    replace: "await settlePart(tx, id, 'review', 0); await markDecided(tx, id, 'REJECTED');",
  },
  {
    name: 'a report is released by the end of its run',
    file: 'pentests/released.ts',
    find: 'releasedAt !== null;',
    replace: "releasedAt !== null || status === 'COMPLETED';",
  },
  {
    name: 'a sign-off is not on the statement',
    file: 'pentests/store.ts',
    find: ".where('pentest_id', '=', id)",
    replace: ".where('pentest_id', '=', '')",
  },
];

/** Bugs that need concurrency. */
const raceBugs: Bug[] = [
  {
    name: 'operations of an account do not wait for one another',
    file: 'accounts/store.ts',
    find: ".select(accountColumns).where('id', '=', id).forNoKeyUpdate()",
    replace: ".select(accountColumns).where('id', '=', id)",
  },
  {
    name: 'a run is ended before the account is locked',
    file: 'pentests/end-run.ts',
    find: 'await lockAccount(tx, accountId);',
    replace: '',
  },
  {
    name: 'two decisions about a report do not wait for one another',
    file: 'review/open-review.ts',
    find: 'await lockAccount(tx, accountId);',
    replace: '',
  },
  {
    name: 'two workers take the same run',
    file: 'pentests/work.ts',
    find: 'for update skip locked',
    replace: '',
  },
  {
    name: 'a run and its credits are read at two instants',
    file: 'pentests/read-store.ts',
    find: "const { rows } = await pool.query<ShownRow>({ name: 'pentests-shown', text, values });",
    replace: `const read = () => pool.query<ShownRow>({ name: 'pentests-shown', text, values });
      const early = await read();
      const late = await read();
      const rows = early.rows.map((row) => {
        const { state, testingCharged, reviewCharged } = late.rows.find(({ id }) => id === row.id) ?? row;
        return { ...row, state, testingCharged, reviewCharged };
      });`,
  },
];

export const orderBugs: readonly OrderBug[] = [
  ...[...workerBugs, ...endBugs, ...reviewBugs].map((bug) => ({ ...bug, foundBy: 'lists' as const })),
  ...raceBugs.map((bug) => ({ ...bug, foundBy: 'rushes' as const })),
];
