import type { QueryCreator } from 'kysely';
import type { Queries } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { type Rules, rulesOfTarget } from './rules.ts';

interface NewConsent {
  pentestId: string;
  userId: string;
  apiKeyId: string | null;
  targetId: string;
  verificationId: string;
}

/**
 * Inserts the consent of the starter. Use it in the statement that inserts the run, so that neither exists without the
 * other.
 */
export function insertConsent(queries: QueryCreator<Schema>, consent: NewConsent) {
  return queries
    .insertInto('consent')
    .columns(['pentest_id', 'user_id', 'api_key_id', 'verification_id', 'rules'])
    .expression((read) =>
      read
        .selectFrom('target')
        .select(({ val }) => [
          val(consent.pentestId).as('pentest_id'),
          val(consent.userId).as('user_id'),
          val(consent.apiKeyId).as('api_key_id'),
          val(consent.verificationId).as('verification_id'),
          rulesOfTarget.as('rules'),
        ])
        .where('target.id', '=', consent.targetId),
    );
}

/** Who started a run, when, and under which rules. */
interface Consent {
  userId: string;
  apiKeyId: string | null;
  verificationId: string;
  rules: Rules;
  createdAt: Date;
}

/** Resolves to the consent for a run; undefined for runs of releases that recorded none. */
export async function readConsent(queries: Queries, pentestId: string): Promise<Consent | undefined> {
  const row = await queries
    .selectFrom('consent')
    .select(['user_id as userId', 'api_key_id as apiKeyId', 'verification_id as verificationId'])
    .select(['rules', 'created_at as createdAt'])
    .where('pentest_id', '=', pentestId)
    .executeTakeFirst();
  return row && { ...row, rules: row.rules as unknown as Rules };
}
