import { type AccountFinding, dashboardEndpoints, type FindingRecord, MOST_FINDINGS } from '@sortie/contract';
import type { Queries, Transaction } from '../db/database.ts';
import {
  assignFinding,
  decideState,
  type FlawEvent,
  type KnownFlaw,
  noteFinding,
  readFlaw,
  readFlaws,
  seenAt,
  selectNames,
} from '../flaws/flaws.ts';
import { type DashboardRoute, type PermittedCaller, route } from '../http/route.ts';
import { listRetestsOf } from '../retests/retests.ts';
import { changeAs, type DashboardContext, toIso } from './context.ts';

const { listAccountFindings, getFindingRecord, setFindingState, setFindingAssignee, addFindingNote } =
  dashboardEndpoints;

type Names = ReadonlyMap<string, string>;

export function findingRoutes({ database }: DashboardContext): DashboardRoute[] {
  const { queries } = database;

  async function change(
    caller: PermittedCaller,
    findingId: string,
    endpoint: typeof setFindingState | typeof setFindingAssignee | typeof addFindingNote,
    work: (tx: Transaction, by: Pick<PermittedCaller, 'accountId' | 'userId' | 'role'>) => Promise<void>,
  ): Promise<FindingRecord> {
    await changeAs(database, caller, endpoint, work);
    return readRecord(queries, caller, findingId);
  }

  return [
    route(listAccountFindings, async ({ caller }) => {
      const { flaws } = await readFlaws(queries, caller);
      const shown = flaws.slice(0, MOST_FINDINGS);
      const names = await selectNames(
        queries,
        shown.flatMap(({ assigneeId }) => assigneeId ?? []),
      );
      return { findings: shown.map((flaw) => toFinding(flaw, names)), total: flaws.length };
    }),
    route(getFindingRecord, ({ caller, params: { findingId } }) => readRecord(queries, caller, findingId)),
    route(setFindingState, ({ caller, params: { findingId }, body }) =>
      change(caller, findingId, setFindingState, (tx, by) => decideState(tx, by, findingId, body)),
    ),
    route(setFindingAssignee, ({ caller, params: { findingId }, body: { userId } }) =>
      change(caller, findingId, setFindingAssignee, (tx, by) => assignFinding(tx, by, findingId, userId)),
    ),
    route(addFindingNote, ({ caller, params: { findingId }, body: { text } }) =>
      change(caller, findingId, addFindingNote, (tx, by) => noteFinding(tx, by, findingId, text)),
    ),
  ];
}

async function readRecord(queries: Queries, caller: PermittedCaller, findingId: string): Promise<FindingRecord> {
  const flaw = await readFlaw(queries, caller, findingId);
  const people = flaw.events.flatMap(({ userId, assigneeId }) => [userId, assigneeId ?? []].flat());
  const names = await selectNames(queries, people);
  return {
    finding: toFinding(flaw, names),
    events: flaw.events.map((event) => toEvent(event, names)).reverse(),
    sightings: flaw.sightings
      .map((seen) => ({
        runId: seen.runId,
        findingId: seen.id,
        severity: seen.severity,
        at: seenAt(seen).toISOString(),
      }))
      .reverse(),
    retests: await listRetestsOf(
      queries,
      flaw.sightings.map(({ id }) => id),
    ),
    fixedAt: toIso(flaw.presences.at(-1)?.to ?? null),
  };
}

const toColleague = (userId: string, names: Names) => ({ userId, name: names.get(userId) ?? 'Former member' });

function toFinding(flaw: KnownFlaw, names: Names): AccountFinding {
  const { last, sightings, presences, events, state, acceptedUntil, assigneeId } = flaw;
  const [first = last] = sightings;
  const isNew = sightings.length === 1;
  return {
    id: last.id,
    runId: last.runId,
    targetUrl: last.run.targetUrl,
    title: last.title,
    severity: last.severity,
    confidence: last.confidence,
    affectedUrl: last.affectedUrl,
    method: last.method,
    parameter: last.parameter,
    cvssScore: last.cvssScore,
    cweId: last.cweId,
    checkId: last.checkId,
    state,
    acceptedUntil: toIso(acceptedUntil),
    closedAt: toIso(closedAtOf(flaw)),
    history: isNew ? 'NEW' : presences.length > 1 ? 'REGRESSION' : 'OPEN',
    assignee: assigneeId === null ? null : toColleague(assigneeId, names),
    notes: events.filter(({ kind }) => kind === 'NOTE').length,
    runs: new Set(sightings.map(({ runId }) => runId)).size,
    firstSeenAt: seenAt(first).toISOString(),
    lastSeenAt: seenAt(last).toISOString(),
  };
}

function closedAtOf({ state, presences, events }: KnownFlaw): Date | null {
  if (state === 'OPEN') return null;
  if (state === 'FIXED') return presences.at(-1)?.to ?? null;
  return events.findLast(({ kind }) => kind === 'STATE')?.at ?? null;
}

function toEvent({ id, at, userId, kind, state, text, acceptedUntil, assigneeId }: FlawEvent, names: Names) {
  return {
    id,
    at: at.toISOString(),
    by: toColleague(userId, names),
    kind,
    state,
    text,
    acceptedUntil: toIso(acceptedUntil),
    assignee: assigneeId === null ? null : toColleague(assigneeId, names),
  };
}
