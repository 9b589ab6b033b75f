import { Anchor, Table } from '@mantine/core';
import type { Scan } from '@sortie/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAllPages } from '../../api/queries.ts';
import { Lines } from '../../charts/lines.tsx';
import { formatDay, formatTime } from '../../look/format.ts';
import { Section } from '../../look/section.tsx';
import { useAccountId, useScreenPath } from '../../shell/use-account.ts';

const MOST_SCANS = 10;

/** The scores of the same URL: as a line, and newest first with the change of each. */
export function ScoreTrend({ scan }: { scan: Scan }): ReactNode {
  const accountId = useAccountId();
  const screenPath = useScreenPath();
  const { data = [] } = useAllPages('listScans', { accountId }, (answer) => answer.scans);
  const scored = data.filter(({ url, score }) => url === scan.url && score !== null).slice(0, MOST_SCANS);
  if (scored.length < 2) return null;
  const oldestFirst = scored.toReversed();
  return (
    <Section title="Score over time">
      <Lines
        label={`Scores, oldest first: ${oldestFirst.map(({ score }) => score).join(', ')}`}
        labels={oldestFirst.map(({ createdAt }) => formatDay(createdAt))}
        top={100}
        lines={[{ name: scan.url, color: 'var(--line-1)', values: oldestFirst.map(({ score }) => score) }]}
      />
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Scan</Table.Th>
            <Table.Th>Grade</Table.Th>
            <Table.Th>Score</Table.Th>
            <Table.Th>Change</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {scored.map(({ id, createdAt, grade, score }, index) => (
            <Table.Tr key={id}>
              <Table.Td>
                {id === scan.id ? (
                  `${formatTime(createdAt)} (this one)`
                ) : (
                  <Anchor component={Link} to={screenPath(`scans/${id}`) as '/'} size="sm">
                    {formatTime(createdAt)}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td>{grade}</Table.Td>
              <Table.Td>{score}</Table.Td>
              <Table.Td>{changeOf(score, scored[index + 1]?.score)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function changeOf(score: number | null, before: number | null | undefined): string {
  if (score === null || before === null || before === undefined) return '';
  const change = score - before;
  return change === 0 ? 'unchanged' : change > 0 ? `up ${change}` : `down ${-change}`;
}
