import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { phases } from './runs.ts';
import type { World } from './world.ts';

const order: readonly string[] = ['QUEUED', ...phases];

/** Records every status change with a trigger, because polling could miss one. */
export async function keepMoves({ testDatabase }: Pick<World, 'testDatabase'>): Promise<void> {
  await testDatabase.database.pool.query(`
    create table status_move (number bigint generated always as identity, run_id text, from_status text, to_status text);
    create function keep_move() returns trigger language plpgsql as $$ begin
      insert into status_move (run_id, from_status, to_status) values (new.id, old.status, new.status);
      return null;
    end $$;
    create trigger keep_move after update of status on pentest
      for each row when (old.status <> new.status) execute function keep_move();`);
}

interface StatusMove {
  runId: string;
  from: string;
  to: string;
}

export async function movesOf({ testDatabase }: Pick<World, 'testDatabase'>): Promise<StatusMove[]> {
  const { rows } = await sql<StatusMove>`
    select run_id as "runId", from_status as "from", to_status as "to" from status_move order by number`.execute(
    testDatabase.database.queries,
  );
  return rows;
}

/** Asserts that statuses only move forward, and that final ones never change. */
export function assertForward(moves: readonly StatusMove[]): void {
  assert.ok(moves.length > 0);
  const isEnd = (status: string) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(status);
  // Tests make these changes in place of the dashboard.
  const isMadeByTests = ({ to }: StatusMove) => to === 'PAUSED' || to === 'AWAITING_PAYMENT';
  for (const move of moves.filter((each) => !isMadeByTests(each))) {
    assert.ok(!isEnd(move.from), JSON.stringify(move));
    assert.ok(isEnd(move.to) || order.indexOf(move.to) > order.indexOf(move.from), JSON.stringify(move));
  }
}
