import { sql } from 'kysely';
import { recordAudit } from '../audit/audit.ts';
import { serviceNow, type Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';

/** The clock cannot be moved back, and timestamps have four-digit years. */
const END_OF_TIME = Date.UTC(9_000, 0);

/** Advances the service clock of all nodes. Resolves to its new time. */
export async function advanceClock(
  tx: Transaction,
  { seconds, actor }: { seconds: number; actor: string },
): Promise<Date> {
  const service = await tx.selectFrom('service').select('environment').forUpdate().executeTakeFirstOrThrow();
  if (service.environment !== 'test') {
    throw new AppError('FORBIDDEN', {
      message: 'The clock can only be moved in the environment test. Use a server of that environment.',
    });
  }
  const before = await serviceNow(tx);
  if (before.getTime() + seconds * 1_000 > END_OF_TIME) {
    throw new AppError('VALIDATION_ERROR', { field: 'duration', message: 'duration must end before the year 9000' });
  }
  await tx
    .updateTable('service')
    .set({ clock_shift: sql<string>`clock_shift + make_interval(secs => ${seconds})` })
    .execute();
  await recordAudit(tx, { actor, action: 'clock.advanced', accountId: null, subject: 'clock', details: { seconds } });
  return serviceNow(tx);
}

/** Throws if the expiry is not in the future; null never expires. `field` names the expiry in the refusal. */
export function requireFuture(expiresAt: Date | null, now: Date, field = 'expiresAt'): void {
  if (expiresAt === null || expiresAt > now) return;
  throw new AppError('VALIDATION_ERROR', {
    field,
    message: `${field} must be later than now, which is ${now.toISOString()} on the service clock`,
  });
}
