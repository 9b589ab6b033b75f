import { Table } from '@mantine/core';
import type { FindingPlace } from '@sortie/contract';
import type { ReactNode } from 'react';
import { Section } from '../../look/section.tsx';
import { WideTable } from '../../look/wide-table.tsx';

/** Where the weakness shows: a table once there is more than the place in the facts. */
export function Places({ places }: { places: readonly FindingPlace[] }): ReactNode {
  if (places.length < 2) return null;
  return (
    <Section title={`${places.length} places`}>
      <WideTable minWidth={480}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>URL</Table.Th>
            <Table.Th>Method</Table.Th>
            <Table.Th>Parameter</Table.Th>
            <Table.Th>Test accounts</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {places.map(({ url, method, parameter, location, accounts }) => (
            <Table.Tr key={[url, method, parameter, location].join('\n')}>
              <Table.Td>{url}</Table.Td>
              <Table.Td>{method}</Table.Td>
              <Table.Td>{parameter && `${parameter}${location ? ` (${location})` : ''}`}</Table.Td>
              <Table.Td>{accounts.join(', ')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Section>
  );
}
