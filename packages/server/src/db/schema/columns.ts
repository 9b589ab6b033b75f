import type { ColumnType } from 'kysely';

/** A column that the database fills in and that never changes afterwards. */
export type Stamped<T> = ColumnType<T, T | undefined, never>;

/** An object that is written as JSON and never changes afterwards. */
export type Json = ColumnType<Record<string, unknown>, string | undefined, never>;
