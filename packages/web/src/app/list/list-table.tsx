import { Anchor, Box } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import {
  type ColumnDef,
  createSortedRowModel,
  type ReactTable,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Column, ListProps } from './columns.ts';
import type { Sort } from './search.ts';
import { useRowKeys } from './use-row-keys.ts';

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

interface ListTableProps<Row> extends ListProps<Row> {
  shown: readonly Row[];
  sort: Sort | undefined;
  onSort(sort: Sort): void;
}

type Table<Row extends object> = ReactTable<typeof features, Row, unknown>;

/** A list is as long as its content; rows outside the window are not rendered. */
export function ListTable<Row>(props: ListTableProps<Row>): ReactNode {
  const { columns, shown, sort, onSort, idOf, pathOf } = props;
  const definitions = useMemo(() => columns.map(define), [columns]);
  const data = shown as readonly (Row & object)[];
  const { id: sortedBy, isDescending: desc = false } = sort ?? {};
  // The same objects in each render: the table sorts, and the list measures all rows, whenever one of these is new.
  const sorting = useMemo(() => (sortedBy === undefined ? [] : [{ id: sortedBy, desc }]), [sortedBy, desc]);
  const table = useTable({
    features,
    columns: definitions as ColumnDef<typeof features, Row & object>[],
    data,
    getRowId: idOf,
    state: { sorting },
  }) as Table<Row & object>;
  const { rows } = table.getRowModel();
  const ordered = useMemo(() => rows.map(({ original }) => original as Row), [rows]);
  const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows]);
  const body = useRef<HTMLTableElement>(null);
  const top = useTop(body);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 44,
    overscan: 12,
    scrollMargin: top,
    getItemKey,
  });
  const current = useRowKeys(ordered.length, {
    open: (index) => openRow(index),
    show: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  });
  const navigate = useNavigate();
  const openRow = (index: number) => {
    const row = ordered[index];
    const path = row === undefined ? undefined : pathOf?.(row);
    if (path !== undefined) navigate({ href: path });
  };
  const items = virtualizer.getVirtualItems();
  const before = (items[0]?.start ?? top) - top;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  return (
    <Box className="list-box">
      <table className="list-table" ref={body} aria-rowcount={rows.length + 1}>
        <HeadRow columns={columns} sort={sort} onSort={onSort} />
        <tbody>
          {before > 0 && <Gap height={before} span={columns.length} />}
          {items.map(({ index, key }) => {
            const row = ordered[index] as Row;
            return (
              <tr
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                {...(current === index && { 'data-current': true })}
                onClick={(event) => isPlainClick(event) && openRow(index)}
              >
                <Cells row={row} columns={columns} path={pathOf?.(row)} />
              </tr>
            );
          })}
          {after > 0 && <Gap height={after} span={columns.length} />}
        </tbody>
      </table>
    </Box>
  );
}

function define<Row>({ id, value, sortBy }: Column<Row>) {
  const rank = (row: Row) => (sortBy ?? value)(row) ?? '';
  return {
    id,
    accessorFn: rank,
    sortFn: (left: { original: Row }, right: { original: Row }) => compare(rank(left.original), rank(right.original)),
  };
}

const compare = (left: string | number, right: string | number): number =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : String(left).localeCompare(String(right), undefined, { numeric: true });

/** The distance of the table from the top of the document. */
function useTop(element: { current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measured = (element.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    setTop(Math.round(measured));
  }, [element]);
  return top;
}

/** Links and buttons in a row do what they say. */
const isPlainClick = (event: MouseEvent): boolean =>
  !(event.target as Element).closest('a, button, input, label') && window.getSelection()?.toString() === '';

function HeadRow<Row>({ columns, sort, onSort }: Pick<ListTableProps<Row>, 'columns' | 'sort' | 'onSort'>): ReactNode {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ id, title, isWide, isNumber }) => {
          const direction = sort?.id === id ? (sort.isDescending ? 'descending' : 'ascending') : 'none';
          return (
            <th
              key={id}
              scope="col"
              aria-sort={direction}
              {...(isWide && { 'data-wide': true })}
              {...(isNumber && { 'data-number': true })}
            >
              <button
                type="button"
                className="sort"
                onClick={() => onSort({ id, isDescending: direction === 'ascending' })}
              >
                {title}
                <span aria-hidden="true">{{ ascending: ' ↑', descending: ' ↓', none: '' }[direction]}</span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface CellsProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  path: string | undefined;
}

function Cells<Row>({ row, columns, path }: CellsProps<Row>): ReactNode {
  return columns.map(({ id, title, cell, value, isWide, isShort, isLong, isNumber }, index) => {
    const content = cell ? cell(row) : value(row);
    return (
      <td
        key={id}
        data-title={title}
        {...(isWide && { 'data-wide': true })}
        {...(isShort && { 'data-short': true })}
        {...(isLong && { 'data-long': true, title: String(value(row) ?? '') })}
        {...(isNumber && { 'data-number': true })}
      >
        {index === 0 && path !== undefined ? <RowLink path={path}>{content}</RowLink> : content}
      </td>
    );
  });
}

function RowLink({ path, children }: { path: string; children: ReactNode }): ReactNode {
  const navigate = useNavigate();
  return (
    <Anchor
      href={path}
      inherit
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        navigate({ href: path });
      }}
    >
      {children}
    </Anchor>
  );
}

function Gap({ height, span }: { height: number; span: number }): ReactNode {
  return (
    <tr>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
