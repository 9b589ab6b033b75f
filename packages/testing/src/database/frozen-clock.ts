import type { Database } from '../../../server/src/db/database.ts';

export interface FrozenClock {
  now(): Date;
  moveTo(instant: Date): Promise<void>;
}

/** Freezes the service clock of a test's database: it moves only by `moveTo`, with millisecond precision. */
export async function freezeClock({ pool }: Database, start: Date): Promise<FrozenClock> {
  let now = start;
  await pool.query(`
    create or replace function service_now() returns timestamptz language sql volatile as
    $$ select timestamptz '${start.toISOString()}' + clock_shift from service $$`);
  return {
    now: () => now,
    async moveTo(instant) {
      const shift = `${instant.getTime() - start.getTime()} milliseconds`;
      await pool.query('update service set clock_shift = $1::interval', [shift]);
      now = instant;
    },
  };
}
