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
  /** Short values that are not broken into lines. */
  isShort?: boolean;
  /** Addresses and ids: one line, cut at its end on wide screens and broken anywhere on phones. */
  isLong?: boolean;
  /** Right-aligned, so that digits stand below each other. */
  isNumber?: boolean;
  /** Left out on phones. */
  isWide?: boolean;
}

/** A filter with fixed choices, kept in the URL under its id. */
export interface Filter<Row> {
  id: string;
  label: string;
  choices: readonly { value: string; label: string }[];
  /** Chosen while the URL says nothing; `EVERYTHING` then turns the filter off. */
  initial?: string;
  matches(row: Row, value: string): boolean;
}

/** As the value of a filter: all rows. */
export const EVERYTHING = 'ALL';

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

/** Sorts the values of a list of constants in their order, and unknown ones after them. */
export function rankIn(order: readonly string[], value: string): number {
  const index = order.indexOf(value);
  return index < 0 ? order.length : index;
}
