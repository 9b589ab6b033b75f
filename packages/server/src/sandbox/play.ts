import type { ErrorCode } from '@sortie/contract';
import { createUser, requireUser } from '../accounts/accounts.ts';
import { type Database, inTransaction, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import type { Lease } from '../jobs/leases.ts';
import { endRun, enterPhase, requirePentest, saveStep } from '../pentests/pentests.ts';
import { findReview, rejectReport, signOff, takeReport } from '../review/review.ts';
import { completeScan } from '../scans/scans.ts';
import { updateStatus } from './store.ts';
import type { Act } from './story.ts';

const MINUTE_MS = 60_000;
const SUMMARY = 'Simulated by the sandbox; nothing was tested.';
const REVIEWER = 'sandbox-reviewer@example.test';
const actor = 'sandbox';

/** Performs an act as a worker or reviewer would. Resolves to false if the story has lost the run. Idempotent. */
export async function play(database: Database, run: Lease & { position: number }, act: Act): Promise<boolean> {
  const { queries } = database;
  switch (act.act) {
    case 'begin':
      return updateStatus(queries, run, { status: 'VERIFYING', isStart: true });
    case 'show':
      return updateStatus(queries, run, { status: act.status });
    case 'work':
      return work(database, run, act);
    case 'end':
      return end(database, run, act);
    case 'judge':
      return completeScan(database, run, { result: act.result, egress: [] });
    case 'sign off':
      return review(database, run, (tx, reviewer) => signOff(tx, { runId: run.id, reviewer, actor }));
    case 'reject': {
      const reason = 'Simulated by the sandbox.';
      return review(database, run, (tx, reviewer) => rejectReport(tx, { runId: run.id, reviewer, reason, actor }));
    }
  }
}

async function work(
  database: Database,
  run: Lease & { position: number },
  { phase, minutes, requests, findings }: Extract<Act, { act: 'work' }>,
): Promise<boolean> {
  if (!(await enterPhase(database.queries, run, phase))) return false;
  const name = `${phase}/${run.position}`;
  const saved = { type: 'step' as const, name, phase, requests, modelMicrodollars: 0, findings: [...findings] };
  return saveStep(database, run, saved, minutes * MINUTE_MS);
}

async function end(
  database: Database,
  { id: runId, epoch }: Lease,
  { outcome, untested, coverage }: Extract<Act, { act: 'end' }>,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const { accountId } = await requirePentest(tx, runId);
    if (await endRun(tx, { accountId, runId, epoch }, outcome, SUMMARY, { untested, coverage })) return true;
    // A node that died before it advanced the story, or a faster one, has already performed the act.
    const { status } = await requirePentest(tx, runId);
    return status === outcome;
  });
}

/** Reviews the report of a run with expert review. Resolves to false if there is no review or it is already decided. */
async function review(
  database: Database,
  { id: runId }: Lease,
  decide: (tx: Transaction, reviewer: string) => Promise<unknown>,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    const found = await findReview(tx, runId);
    if (!found || found.decidedAt !== null) return false;
    const reviewer = await requireReviewer(tx);
    await takeReport(tx, { runId, reviewer, isForced: true, actor });
    await decide(tx, reviewer);
    return true;
  });
}

/** Resolves to the sandbox's reviewer, created on first use. Concurrent attempts resolve to the same user. */
async function requireReviewer(tx: Transaction): Promise<string> {
  const find = () => requireUser(tx, REVIEWER);
  const make = () => createUser(tx, { email: REVIEWER, name: 'Sandbox reviewer', staff: 'REVIEWER', actor });
  const { id } = await find().catch(insteadOf('NOT_FOUND', make)).catch(insteadOf('VALIDATION_ERROR', find));
  return id;
}

function insteadOf<T>(code: ErrorCode, next: () => Promise<T>): (error: unknown) => Promise<T> {
  return (error) => {
    if (error instanceof AppError && error.code === code) return next();
    throw error;
  };
}
