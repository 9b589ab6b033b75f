import { Button, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { Problem } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { WideTable } from '../../look/wide-table.tsx';
import { useAccountId } from '../../shell/use-account.ts';

const SHOWN_FIRST = 20;

/** What the agents of the planner expected, tried and found. Nothing for a run without a language model. */
export function RunActivity({ runId }: { runId: string }): ReactNode {
  const accountId = useAccountId();
  const [isWhole, setWhole] = useState(false);
  const { data, error, refetch } = useCall('getRunActivity', { accountId, runId });
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!data || data.items.length === 0) return null;
  const items = isWhole ? data.items : data.items.slice(0, SHOWN_FIRST);
  return (
    <Section title="What the planner tried">
      <WideTable minWidth={480}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Agent</Table.Th>
            <Table.Th>Hypothesis</Table.Th>
            <Table.Th>What was tried</Table.Th>
            <Table.Th>Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map(({ specialist, hypothesis, tried, outcome }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever appended
            <Table.Tr key={index}>
              <Table.Td>{specialist}</Table.Td>
              <Table.Td>{hypothesis ?? ''}</Table.Td>
              <Table.Td>{tried}</Table.Td>
              <Table.Td>{outcome}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {!isWhole && data.items.length > SHOWN_FIRST && (
        <Button variant="default" size="xs" onClick={() => setWhole(true)}>
          Show all {data.items.length}
        </Button>
      )}
      <Text size="xs">
        Written by a language model and checked for links and markup only; the findings are proved by code.
      </Text>
    </Section>
  );
}
