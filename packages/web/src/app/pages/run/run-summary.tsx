import { Anchor, List, Table, Text } from '@mantine/core';
import type { PentestSummaryResponse } from '@sortie/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { Problem } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { SeverityLabel } from '../../look/severity.tsx';
import { useAccountId, useScreenPath } from '../../shell/use-account.ts';

/** What the run did, what it tested and what it could not, and what became of earlier findings. */
export function RunSummary({ id }: { id: string }): ReactNode {
  const accountId = useAccountId();
  const { data, error, refetch } = useCall('getPentestSummary', { accountId, id });
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!data || data.summary === null) return null;
  return (
    <>
      <Section title="Summary">
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          {data.summary}
        </Text>
      </Section>
      {data.coverage && (
        <Section title="Coverage">
          <CoverageTable groups={data.coverage.groups} />
        </Section>
      )}
      <Earlier title="Fixed since earlier runs" findings={data.fixed} />
      <Earlier title="Earlier findings that were not tested again" findings={data.notTested} />
    </>
  );
}

type Groups = NonNullable<PentestSummaryResponse['coverage']>['groups'];

const statusWords: Readonly<Record<string, string>> = {
  TESTED: 'Tested',
  PARTLY_TESTED: 'Partly tested',
  NOT_TESTED: 'Not tested',
  NOT_APPLICABLE: 'Does not apply',
};

function CoverageTable({ groups }: { groups: Groups }): ReactNode {
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Group of checks</Table.Th>
            <Table.Th>Result</Table.Th>
            <Table.Th>Requests</Table.Th>
            <Table.Th>Why, and how to fix it</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map(({ group, status, tested, partlyTested, notTested, reasons }) => (
            <Table.Tr key={group}>
              <Table.Td>{group}</Table.Td>
              <Table.Td>{statusWords[status] ?? status}</Table.Td>
              <Table.Td>
                {status === 'NOT_APPLICABLE' ? '' : `${tested} of ${tested + partlyTested + notTested}`}
              </Table.Td>
              <Table.Td>
                {reasons.map(({ reason, cure }) => (
                  <Text key={reason + cure} size="xs">
                    {reason} {cure}
                  </Text>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface EarlierProps {
  title: string;
  findings: readonly (PentestSummaryResponse['fixed'][number] & { reason?: string })[];
}

function Earlier({ title, findings }: EarlierProps): ReactNode {
  const screenPath = useScreenPath();
  if (findings.length === 0) return null;
  return (
    <Section title={title}>
      <List listStyleType="none" spacing={4}>
        {findings.map(({ pentestId, findingId, title: name, severity, reason }) => (
          <List.Item key={pentestId + findingId}>
            <SeverityLabel severity={severity} />{' '}
            <Anchor component={Link} to={screenPath(`runs/${pentestId}/findings/${findingId}`) as '/'} size="sm">
              {name}
            </Anchor>
            {reason && <Text size="xs">{reason}</Text>}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
