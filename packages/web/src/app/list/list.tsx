import { Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { MOST_ROWS } from '../api/queries.ts';
import { counted } from '../look/format.ts';
import { Icon } from '../look/icons.tsx';
import { Problem } from '../look/problem.tsx';
import { Updated } from '../look/updated.tsx';
import { type Column, EVERYTHING, type Filter, type ListProps } from './columns.ts';
import { saveFile, toCsv } from './csv.ts';
import { ListTable } from './list-table.tsx';
import { type ListSearch, readSort, writeSort } from './search.ts';

/** A table with filter, sort, CSV, and states for loading, errors and nothing. Its settings are in the URL. */
export function List<Row>(props: ListProps<Row>): ReactNode {
  const { rows, columns, filters = [], noun, empty } = props;
  const search: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changed: ListSearch) =>
    navigate({ to: '.', search: { ...search, ...changed } as never, replace: true, resetScroll: false });
  const shown = useMemo(
    () => (rows.data ?? []).filter((row) => isShown(row, search, columns, filters)),
    [rows.data, search, columns, filters],
  );
  if (rows.isPending) return <LoadingRows />;
  if (rows.data === undefined) return <Problem error={rows.error} onRetry={rows.refetch} />;
  if (rows.data.length === 0) return empty;
  const sort = readSort(search.sort);
  return (
    <Stack gap="sm">
      {rows.error && <Problem error={rows.error} onRetry={rows.refetch} />}
      <Group justify="space-between" align="flex-end" gap="sm">
        <FilterBar filters={filters} search={search} onChange={change} noun={noun} />
        <Group gap="sm" ml="auto">
          <Updated at={rows.dataUpdatedAt} />
          <Text size="xs" c="dimmed" role="status">
            {shown.length === rows.data.length
              ? counted(shown.length, noun)
              : `${shown.length} of ${counted(rows.data.length, noun)}`}
          </Text>
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="download" />}
            onClick={() => saveFile(`sortie-${noun.replaceAll(' ', '-')}s.csv`, asCsv(columns, shown), 'text/csv')}
          >
            CSV
          </Button>
        </Group>
      </Group>
      {rows.data.length >= MOST_ROWS && <Text size="sm">Only the first {MOST_ROWS} are listed.</Text>}
      {shown.length === 0 ? (
        <NothingMatches onReset={() => navigate({ to: '.', search: withoutFilter(filters) as never, replace: true })} />
      ) : (
        <ListTable {...props} shown={shown} sort={sort} onSort={(wanted) => change({ sort: writeSort(wanted) })} />
      )}
    </Stack>
  );
}

function chosenOf<Row>({ id, initial }: Filter<Row>, search: ListSearch): string | undefined {
  const chosen = search[id] ?? initial;
  return chosen === EVERYTHING ? undefined : chosen;
}

const withoutFilter = <Row,>(filters: readonly Filter<Row>[]): ListSearch =>
  Object.fromEntries(filters.flatMap(({ id, initial }) => (initial === undefined ? [] : [[id, EVERYTHING]])));

function isShown<Row>(
  row: Row,
  search: ListSearch,
  columns: readonly Column<Row>[],
  filters: readonly Filter<Row>[],
): boolean {
  const fits = filters.every((filter) => {
    const chosen = chosenOf(filter, search);
    return chosen === undefined || filter.matches(row, chosen);
  });
  const words = (search.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (!fits || words.length === 0) return fits;
  const text = columns
    .map(({ value }) => String(value(row) ?? ''))
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

function asCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return toCsv([columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => value(row)))]);
}

interface FilterBarProps<Row> {
  filters: readonly Filter<Row>[];
  search: ListSearch;
  noun: string;
  onChange(changed: ListSearch): void;
}

function FilterBar<Row>({ filters, search, noun, onChange }: FilterBarProps<Row>): ReactNode {
  const [isOpen, { toggle }] = useDisclosure();
  const inUse = filters.filter((filter) => chosenOf(filter, search) !== undefined).length;
  return (
    <Group
      gap="sm"
      align="flex-end"
      w={{ base: '100%', sm: 'auto' }}
      className="filters"
      {...(isOpen && { 'data-open': true })}
    >
      <TextInput
        type="search"
        label="Filter"
        size="xs"
        className="always"
        data-list-filter
        placeholder={`Text in any column of a ${noun}`}
        aria-keyshortcuts="/"
        value={search.q ?? ''}
        onChange={(event) => onChange({ q: event.currentTarget.value || undefined })}
        style={{ flexGrow: 1 }}
        w={220}
      />
      {filters.length > 0 && (
        <Button
          className="always"
          hiddenFrom="sm"
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          onClick={toggle}
          rightSection={<Icon name="choose" />}
        >
          {inUse === 0 ? 'Filters' : `Filters (${inUse})`}
        </Button>
      )}
      {filters.map((filter) => (
        <Select
          key={filter.id}
          label={filter.label}
          size="xs"
          clearable
          placeholder="All"
          data={[...filter.choices]}
          value={chosenOf(filter, search) ?? null}
          onChange={(value) =>
            onChange({ [filter.id]: value ?? (filter.initial === undefined ? undefined : EVERYTHING) })
          }
          w={{ base: 'calc(50% - 0.4rem)', sm: 140 }}
        />
      ))}
    </Group>
  );
}

function NothingMatches({ onReset }: { onReset(): void }): ReactNode {
  return (
    <Stack align="center" py="xl" gap="xs">
      <Text>Nothing matches the filter.</Text>
      <Button variant="default" size="xs" onClick={onReset}>
        Remove the filter
      </Button>
    </Stack>
  );
}

function LoadingRows(): ReactNode {
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} height={36} />
      ))}
    </Stack>
  );
}
