import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/** A column of a list. Its value is sorted, filtered and exported; `cell` is what is shown. */
export interface Column<Row> {
  id: string;
  title: string;
  value(row: Row): string | number | null;
  cell?(row: Row): ReactNode;
  /** Sorts by this instead of the value, for example by rank. */
  sortBy?(row: Row): string | number;
  /** Left out on phones. */
  isWide?: boolean;
}

/** A filter with fixed choices, kept in the URL under its id. */
export interface Filter<Row> {
  id: string;
  label: string;
  choices: readonly { value: string; label: string }[];
  matches(row: Row, value: string): boolean;
}

export interface ListProps<Row> {
  /** What a row is, for example "run". */
  noun: string;
  columns: readonly Column<Row>[];
  filters?: readonly Filter<Row>[];
  rows: UseQueryResult<readonly Row[]>;
  idOf(row: Row): string;
  /** The screen of a row, as a path; opened by a click, by Enter and by the link in the first column. */
  pathOf?(row: Row): string | undefined;
  /** What to show while there are no rows at all: why, and what to do. */
  empty: ReactNode;
}
