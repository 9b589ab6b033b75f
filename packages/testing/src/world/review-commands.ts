import { readAccountBalance, readUsage } from '../../../server/src/credits/credits.ts';
import type { Transaction } from '../../../server/src/db/database.ts';
import { inTransaction } from '../../../server/src/db/database.ts';
import { createPentestReader, listFindings, listPentests } from '../../../server/src/pentests/read-pentests.ts';
import {
  addNote,
  editFinding,
  rejectReport,
  reopenReport,
  setExcluded,
  signOff,
  takeReport,
} from '../../../server/src/review/review.ts';
import type { ReviewScene } from './reviewed-runs.ts';

export type Reviewer = 'ada' | 'ben';

/** Returns the review commands on the scene's runs, on behalf of Ada, Ben or no reviewer. */
export function onReviews(scene: () => ReviewScene) {
  const actor = 'operator';
  const change = <T>(work: (tx: Transaction) => Promise<T>) => inTransaction(scene().test.database, work);
  const by = (who: Reviewer | undefined) => ({ reviewer: who && scene()[who], actor });

  async function worstFinding(runId: string): Promise<string> {
    const { queries } = scene().test.database;
    const worst = queries.selectFrom('pentest_finding').select('id').where('pentest_id', '=', runId);
    return (await worst.where('severity', '=', 'HIGH').executeTakeFirst())?.id ?? 'fnd_none';
  }

  return {
    take: (runId: string, who: Reviewer, isForced = false) =>
      change((tx) => takeReport(tx, { runId, reviewer: scene()[who], isForced, actor })),
    async edit(runId: string, who?: Reviewer) {
      const findingId = await worstFinding(runId);
      const edit = { title: 'In better words' };
      return change((tx) => editFinding(tx, { runId, ...by(who), findingId, edit }));
    },
    async exclude(runId: string, who?: Reviewer, isExcluded = true) {
      const findingId = await worstFinding(runId);
      return change((tx) => setExcluded(tx, { runId, ...by(who), findingId, isExcluded }));
    },
    note: (runId: string, who?: Reviewer) =>
      change((tx) => addNote(tx, { runId, ...by(who), text: 'Asked the account.' })),
    signOff: (runId: string, who?: Reviewer) => change((tx) => signOff(tx, { runId, ...by(who) })),
    reject: (runId: string, who?: Reviewer) =>
      change((tx) => rejectReport(tx, { runId, ...by(who), reason: 'Not reproduced.' })),
    reopen: (runId: string) => change((tx) => reopenReport(tx, { runId, actor })),
  };
}

/** Resolves to everything that the account's members can see of a run and its effects. */
export async function seenByOwner({ test, owner }: ReviewScene, runId: string) {
  const { queries } = test.database;
  const page = { limit: 100, offset: 0 };
  return {
    pentest: await createPentestReader(test.database).read(owner, runId),
    findings: await listFindings(queries, owner, runId, page),
    pentests: await listPentests(queries, owner, page),
    usage: await readUsage(queries, { accountId: owner.accountId, ...page }),
    balance: await readAccountBalance(queries, owner.accountId),
  };
}
