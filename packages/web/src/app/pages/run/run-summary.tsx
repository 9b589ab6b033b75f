import { Anchor, List, Stack, Table, Text } from '@mantine/core';
import type { PentestSummaryResponse } from '@sortie/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { rankIn } from '../../list/columns.ts';
import { groupName } from '../../look/group-name.ts';
import { Problem } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { SeverityLabel } from '../../look/severity.tsx';
import { WideTable } from '../../look/wide-table.tsx';
import { useAccountId, useScreenPath } from '../../shell/use-account.ts';
import { splitLine } from './split-line.ts';

/** What the run did, what it tested and what it could not, and what became of earlier findings. */
export function RunSummary({ id }: { id: string }): ReactNode {
  const accountId = useAccountId();
  const { data, error, refetch } = useCall('getPentestSummary', { accountId, id });
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!data || data.summary === null) return null;
  return (
    <>
      <Section title="Summary">
        <Stack gap={4} maw={900}>
          {data.summary.split('\n').map((line) => (
            <SummaryLine key={line} line={line} />
          ))}
        </Stack>
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

/** Long lists of checks open in place. */
function SummaryLine({ line }: { line: string }): ReactNode {
  const { lead, ids } = splitLine(line);
  if (ids.length === 0) return <Text size="sm">{lead}</Text>;
  return (
    <details>
      <summary className="small">{lead.includes(String(ids.length)) ? lead : `${lead} (${ids.length})`}</summary>
      <Text size="sm" c="dimmed" ml="md">
        {ids.join(', ')}
      </Text>
    </details>
  );
}

type Groups = NonNullable<PentestSummaryResponse['coverage']>['groups'];

const statusWords: Readonly<Record<string, string>> = {
  TESTED: 'Tested',
  PARTLY_TESTED: 'Partly tested',
  NOT_TESTED: 'Not tested',
  NOT_APPLICABLE: 'Does not apply',
};

/** What could not be tested needs a person. */
const worstFirst = (groups: Groups) =>
  groups.toSorted((left, right) => rankIn(statusOrder, left.status) - rankIn(statusOrder, right.status));

const statusOrder = ['NOT_TESTED', 'PARTLY_TESTED', 'TESTED', 'NOT_APPLICABLE'];

/** What was tested of each group of checks, what was not, and why. */
export function CoverageTable({ groups }: { groups: Groups }): ReactNode {
  return (
    <WideTable minWidth={480}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Group of checks</Table.Th>
          <Table.Th>Result</Table.Th>
          <Table.Th className="short">Requests</Table.Th>
          <Table.Th>Why, and how to fix it</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {worstFirst(groups).map(({ group, status, tested, partlyTested, notTested, reasons }) => (
          <Table.Tr key={group}>
            <Table.Td>{groupName(group)}</Table.Td>
            <Table.Td className="short">{statusWords[status] ?? status}</Table.Td>
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
    </WideTable>
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
