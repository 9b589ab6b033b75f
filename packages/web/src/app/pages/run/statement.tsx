import { Skeleton, Stack, Table, Text } from '@mantine/core';
import type { Pentest, RunStatement } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { counted, formatDuration, formatNumber } from '../../look/format.ts';
import { Problem } from '../../look/problem.tsx';
import { WideTable } from '../../look/wide-table.tsx';
import { useAccountId } from '../../shell/use-account.ts';

/** How the charge was calculated: what each budget would cost alone, and where every held credit went. */
export function Statement({ run }: { run: Pentest }): ReactNode {
  const accountId = useAccountId();
  const isCharged = run.credits.reserved !== null;
  const { data, error, refetch } = useCall('getRunStatement', { accountId, runId: run.id }, { enabled: isCharged });
  if (!isCharged) return null;
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={80} role="status" aria-label="Loading" />;
  return (
    <Stack gap="sm">
      <Budgets statement={data} />
      <Text size="sm">{explain(data)}</Text>
      <Parts statement={data} />
    </Stack>
  );
}

function explain({ started, outcome, largest, minimum, testing }: RunStatement): string {
  if (!started || outcome === 'FAILED') return 'Nothing is charged for a run that did not start or did not finish.';
  const least = outcome === 'COMPLETED' ? `, at least ${formatNumber(minimum)}` : '';
  return `The largest decides: ${counted(largest, 'credit')}${least}, at most ${formatNumber(testing.reserved)}. Testing costs ${formatNumber(testing.charged)}.`;
}

const amounts: Readonly<Record<RunStatement['meters']['time']['unit'], (value: number) => string>> = {
  ms: formatDuration,
  requests: formatNumber,
  microdollars: (value) => `$${(value / 1_000_000).toFixed(2)}`,
};

function Budgets({ statement: { meters } }: { statement: RunStatement }): ReactNode {
  const rows = [
    ['Time', meters.time],
    ['Requests', meters.requests],
    ['Model', meters.model],
  ] as const;
  return (
    <WideTable minWidth={420}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Budget</Table.Th>
          <Table.Th ta="right">Used</Table.Th>
          <Table.Th ta="right">Of</Table.Th>
          <Table.Th ta="right">Alone it costs</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([name, { used, allowed, unit, credits }]) => (
          <Table.Tr key={name}>
            <Table.Td>{name}</Table.Td>
            <Table.Td ta="right">{amounts[unit](used)}</Table.Td>
            <Table.Td ta="right">{amounts[unit](allowed)}</Table.Td>
            <Table.Td ta="right">{formatNumber(credits)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

function Parts({ statement: { testing, review, total } }: { statement: RunStatement }): ReactNode {
  const rows = [
    ['Testing', testing],
    ['Expert review', review],
  ] as const;
  return (
    <WideTable minWidth={420}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Part</Table.Th>
          <Table.Th ta="right">Held at the start</Table.Th>
          <Table.Th ta="right">= charged</Table.Th>
          <Table.Th ta="right">+ returned</Table.Th>
          <Table.Th ta="right">+ still held</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([name, part]) => (
          <PartRow key={name} name={name} part={part} />
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <PartRow name="Total" part={total} />
      </Table.Tfoot>
    </WideTable>
  );
}

function PartRow({ name, part }: { name: string; part: RunStatement['total'] }): ReactNode {
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      {[part.reserved, part.charged, part.returned, part.held].map((credits, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change.
        <Table.Td key={index} ta="right">
          {formatNumber(credits)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
