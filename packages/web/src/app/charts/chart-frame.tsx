import { Button, Group, Paper, Table, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { WideTable } from '../look/wide-table.tsx';

interface ChartFrameProps {
  title: string;
  /** What the numbers count, in one sentence. */
  note: string;
  columns: readonly string[];
  /** The same numbers as in the chart. */
  rows: readonly (readonly ReactNode[])[];
  children: ReactNode;
}

/** A chart, or the same numbers as a table. */
export function ChartFrame({ title, note, columns, rows, children }: ChartFrameProps): ReactNode {
  const [isTable, setTable] = useState(false);
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" gap="sm" mb={4} wrap="nowrap">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Button size="compact-xs" variant="default" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Chart' : 'Table'}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mb="sm">
        {note}
      </Text>
      {isTable ? <Numbers columns={columns} rows={rows} /> : children}
    </Paper>
  );
}

function Numbers({ columns, rows }: Pick<ChartFrameProps, 'columns' | 'rows'>): ReactNode {
  return (
    <WideTable minWidth={360}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column} scope="col">
              {column}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own and keep their order.
          <Table.Tr key={row}>
            {cells.map((cell, column) => (
              <Table.Td key={columns[column]}>{cell}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
