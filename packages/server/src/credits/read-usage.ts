import type { CreditsUsage } from '@sortie/contract';
import type { Queries } from '../db/database.ts';
import { nextOffset } from '../db/paging.ts';

interface UsageQuestion {
  accountId: string;
  /** Set if the caller may see only entries of runs that this user started. */
  onlyUserId?: string | undefined;
  apiKeyId?: string | undefined;
  pentestId?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  limit: number;
  offset: number;
}

/** Resolves to one page of the credit history, newest first. */
export async function readUsage(queries: Queries, question: UsageQuestion): Promise<CreditsUsage> {
  const { limit, offset } = question;
  const rows = await selectOperations(queries, question)
    .orderBy('created_at', 'desc')
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute();
  const usage = rows.slice(0, limit).map(({ created_at, available_after, held_after, ...record }) => ({
    ...record,
    createdAt: created_at.toISOString(),
    balanceAfter: { available: available_after, held: held_after },
  }));
  return { usage, nextOffset: nextOffset(question, rows.length > limit) };
}

function selectOperations(queries: Queries, question: UsageQuestion) {
  const { onlyUserId, apiKeyId, pentestId, from, to } = question;
  return queries
    .selectFrom('credit_operation')
    .select(['id', 'type', 'credits', 'part', 'run_id as pentestId', 'api_key_id as apiKeyId', 'description'])
    .select(['created_at', 'available_after', 'held_after'])
    .where('account_id', '=', question.accountId)
    .$if(onlyUserId !== undefined, (query) => query.where('user_id', '=', onlyUserId ?? null))
    .$if(apiKeyId !== undefined, (query) => query.where('api_key_id', '=', apiKeyId ?? null))
    .$if(pentestId !== undefined, (query) => query.where('run_id', '=', pentestId ?? null))
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from as Date))
    .$if(to !== undefined, (query) => query.where('created_at', '<', to as Date));
}
