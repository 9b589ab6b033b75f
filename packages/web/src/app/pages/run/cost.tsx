import { Skeleton, Stack, Table, Text } from '@mantine/core';
import type { Pentest, UsageRecord } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useAllPages } from '../../api/queries.ts';
import { useLastRead } from '../../api/use-last-read.ts';
import { formatNumber, formatTime } from '../../look/format.ts';
import { operationName } from '../../look/operation-name.ts';
import { Problem } from '../../look/problem.tsx';
import { WideTable } from '../../look/wide-table.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useAccountId, useMay } from '../../shell/use-account.ts';
import { isOver } from '../runs/status.ts';
import { Statement } from './statement.tsx';

/** The operations on the credits of a run, which add up to what it cost. */
export function Cost({ run }: { run: Pentest }): ReactNode {
  const accountId = useAccountId();
  const mayRead = useMay('credits:read');
  const isSettled = isOver(run) && run.credits.state !== 'RESERVED';
  const {
    data: records,
    error,
    refetch,
  } = useAllPages('getCreditsUsage', { accountId }, ({ usage }) => usage, {
    query: { pentestId: run.id },
    enabled: mayRead,
    refetchInterval: () => (isSettled ? false : 15_000),
  });
  useLastRead(isSettled && mayRead, refetch);
  if (!mayRead) return <Text size="sm">Your role does not show credits.</Text>;
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!records) return <Skeleton height={80} role="status" aria-label="Loading" />;
  if (records.length === 0) return <Text size="sm">No credits were used.</Text>;
  const oldestFirst = [...records].reverse();
  return (
    <Stack gap="lg">
      {isOver(run) && <Statement run={run} />}
      <Operations run={run} records={oldestFirst} />
    </Stack>
  );
}

function Operations({ run, records }: { run: Pentest; records: readonly UsageRecord[] }): ReactNode {
  return (
    <WideTable minWidth={420}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>When</Table.Th>
          <Table.Th>Operation</Table.Th>
          <Table.Th>Part</Table.Th>
          <Table.Th ta="right">Credits</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {records.map((record) => (
          <RecordRow key={record.id} record={record} />
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr>
          <Table.Th colSpan={3}>{run.credits.charged === null ? 'Initially held' : 'Charged'}</Table.Th>
          <Table.Th ta="right">
            <ScreenLink to={`credits?q=${encodeURIComponent(run.id)}`}>
              {formatNumber(run.credits.charged ?? run.credits.reserved ?? 0)}
            </ScreenLink>
          </Table.Th>
        </Table.Tr>
      </Table.Tfoot>
    </WideTable>
  );
}

function RecordRow({ record }: { record: UsageRecord }): ReactNode {
  const { type, part, credits, createdAt } = record;
  return (
    <Table.Tr>
      <Table.Td>{formatTime(createdAt)}</Table.Td>
      <Table.Td>{operationName(type)}</Table.Td>
      <Table.Td className="short">{part}</Table.Td>
      <Table.Td ta="right">{credits > 0 ? `+${formatNumber(credits)}` : formatNumber(credits)}</Table.Td>
    </Table.Tr>
  );
}
