import type { Database } from '../../../../server/src/db/database.ts';
import type { Answer, ModelAttempt, StartRequest, Trouble } from './model.ts';
import { environment, type Product } from './product.ts';

/** A start that was sent. */
export interface Attempt extends ModelAttempt {
  /** The current phase: an attempt that takes over an old run without handing it over gives it up. */
  phase: 'creation' | 'hand-over' | 'giving up';
  answer: Promise<Answer>;
  /** Resolves to the result, or to 'paused' if the attempt waits for `goOn`. */
  next: Promise<Answer | 'paused'>;
  goOn(): void;
}

class PlannedFailure extends Error {}

/** Returns the result for a planned or contract error. Rethrows any other error. */
export function toAnswer(error: unknown): Answer {
  if (error instanceof PlannedFailure) return { code: 'INTERNAL_ERROR' };
  const { name, code, retryAfterSeconds } = error as { name?: string; code: string; retryAfterSeconds?: number };
  if (name !== 'AppError') throw error;
  return code === 'IDEMPOTENCY_IN_PROGRESS' && retryAfterSeconds !== undefined ? { code, retryAfterSeconds } : { code };
}

interface Start {
  product: Product;
  database: Database;
  accountId: string;
  userId: string;
  request: StartRequest;
  trouble: Trouble;
}

export function beginAttempt(start: Start): Attempt {
  const paused = Promise.withResolvers<'paused'>();
  const resumed = Promise.withResolvers<void>();
  const { request, trouble } = start;
  const attempt = { request, trouble, runId: '', phase: 'giving up' as Attempt['phase'] };
  async function enter(phase: 'creation' | 'hand-over', runId = attempt.runId): Promise<void> {
    Object.assign(attempt, { phase, runId });
    if (trouble !== `pauses before ${phase}`) return;
    paused.resolve('paused');
    await resumed.promise;
  }
  const answer = send(start, enter).catch(toAnswer);
  const next = Promise.race([answer, paused.promise]);
  // Callers handle failures of the promise they await; the other one must not be an unhandled rejection.
  for (const promise of [answer, next]) promise.catch(() => undefined);
  return Object.assign(attempt, { answer, next, goOn: () => resumed.resolve() });
}

type Enter = (phase: 'creation' | 'hand-over', runId?: string) => Promise<void>;

function send({ product, database, accountId, userId, request, trouble }: Start, enter: Enter): Promise<Answer> {
  const { rules, settings, log, fingerprintKey } = environment;
  const { idempotencyKey, apiKeyId, body } = request;
  const handOver = product.createHandOver(database);
  const failIf = (planned: Trouble) => {
    if (trouble === planned) throw new PlannedFailure();
  };
  const context: Parameters<Product['startOnce']>[0] = {
    database,
    settings,
    log,
    async handOver(claim, enqueue) {
      await enter('hand-over');
      return handOver(claim, async (tx) => {
        const told = await enqueue(tx);
        failIf('hand-over fails');
        return told;
      });
    },
  };
  const fingerprint = product.fingerprint(fingerprintKey, 'POST', '/v1/pentests', body);
  const asked = { accountId, userId, idempotencyKey, fingerprint };
  return product.startOnce(context, product.pentests.pentestKind, asked, async (tx, runId) => {
    await enter('creation', runId);
    await product.pentests.createPentest(tx, runId, { accountId, apiKeyId, userId }, body, rules);
    failIf('creation fails');
  });
}
