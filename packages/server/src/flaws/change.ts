import { ownFingerprintsOf } from '@sortie/contract';
import { findRole } from '../accounts/accounts.ts';
import { recordAudit } from '../audit/audit.ts';
import { serviceNow, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { isAssigned } from '../targets/targets.ts';
import { insertEvent, type NewEvent } from './events.ts';
import { type KnownFlaw, readFlaw, stateAt } from './read.ts';
import type { FlawReader } from './sightings.ts';

export type Decision =
  | { state: 'OPEN' }
  | { state: 'ACCEPTED'; reason: string; until: Date }
  | { state: 'FALSE_POSITIVE'; reason: string };

const actions = {
  OPEN: 'finding.reopened',
  ACCEPTED: 'finding.accepted',
  FALSE_POSITIVE: 'finding.marked-false-positive',
} as const;

/**
 * Records what a member decided about a finding. Does nothing if an open finding is opened again. The audit log omits
 * the reason, because it can name people.
 */
export async function decideState(
  tx: Transaction,
  by: FlawReader,
  findingId: string,
  decision: Decision,
): Promise<void> {
  const flaw = await readFlaw(tx, by, findingId);
  const now = await serviceNow(tx);
  if (decision.state === 'ACCEPTED' && decision.until <= now) {
    throw new AppError('VALIDATION_ERROR', { field: 'until', message: 'until must be in the future' });
  }
  if (decision.state === 'OPEN' && stateAt(flaw.events, now).state === 'OPEN') return;
  const until = decision.state === 'ACCEPTED' ? { acceptedUntil: decision.until } : {};
  const reason = decision.state === 'OPEN' ? {} : { text: decision.reason };
  await record(tx, by, flaw, findingId, { kind: 'STATE', state: decision.state, ...until, ...reason });
  const details = decision.state === 'ACCEPTED' ? { until: decision.until.toISOString() } : {};
  await audit(tx, by, flaw, actions[decision.state], details);
}

/** Assigns the finding to a member, or to nobody. Throws unless the member may read the finding. */
export async function assignFinding(
  tx: Transaction,
  by: FlawReader,
  findingId: string,
  userId: string | null,
): Promise<void> {
  const flaw = await readFlaw(tx, by, findingId);
  const { accountId } = by;
  if (userId !== null) {
    const role = await findRole(tx, { accountId, userId });
    const mayRead = role && (await isAssigned(tx, { accountId, userId, role, targetId: flaw.targetId }));
    if (!mayRead) {
      throw new AppError('VALIDATION_ERROR', {
        field: 'userId',
        message: 'userId must be a member to whom the target is assigned. Assign the target to the member first.',
      });
    }
  }
  if (flaw.assigneeId === userId) return;
  await record(tx, by, flaw, findingId, { kind: 'ASSIGNEE', assigneeId: userId });
  await audit(tx, by, flaw, 'finding.assigned', { userId });
}

/** Adds a note to a finding. The audit log records the note without its text. */
export async function noteFinding(tx: Transaction, by: FlawReader, findingId: string, text: string): Promise<void> {
  const flaw = await readFlaw(tx, by, findingId);
  await record(tx, by, flaw, findingId, { kind: 'NOTE', text });
  await audit(tx, by, flaw, 'finding.noted', {});
}

/** Every request that reads findings also reads their events. */
const MOST_EVENTS = 2_000;

type Said = Pick<NewEvent, 'kind' | 'state' | 'text' | 'acceptedUntil' | 'assigneeId'>;

/** Records an event with the fingerprints of the flaw's latest run, so that later runs find it by any of them. */
async function record(tx: Transaction, by: FlawReader, flaw: KnownFlaw, findingId: string, said: Said): Promise<void> {
  const { targetId, site, last, events } = flaw;
  if (events.length >= MOST_EVENTS) {
    const message = `The finding has ${MOST_EVENTS} notes and decisions, which is the maximum. Continue in your issue tracker.`;
    throw new AppError('VALIDATION_ERROR', { field: 'findingId', message });
  }
  const fingerprints = ownFingerprintsOf(last);
  const { accountId, userId } = by;
  await insertEvent(tx, { accountId, userId, targetId, site, findingId, fingerprints, ...said });
}

function audit(
  tx: Transaction,
  { accountId, userId }: FlawReader,
  { last }: KnownFlaw,
  action: string,
  details: Record<string, string | null>,
): Promise<void> {
  return recordAudit(tx, { actor: userId, action, accountId, subject: last.id, details });
}
