import { Stack, Text } from '@mantine/core';
import { type Scan, type ScanFindingsResponse, severities } from '@sortie/contract';
import { type ReactNode, useMemo } from 'react';
import { useAllPages } from '../../api/queries.ts';
import type { Column, Filter } from '../../list/columns.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { groupName } from '../../look/group-name.ts';
import { OutsideLink } from '../../look/outside-link.tsx';
import { inWords } from '../../look/severity.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { severityColumn } from '../findings/finding-columns.tsx';

type ScanFinding = ScanFindingsResponse['findings'][number];

const columns: readonly Column<ScanFinding>[] = [
  {
    id: 'title',
    title: 'Check',
    value: (finding) => finding.title,
    cell: (finding) => <Explained finding={finding} />,
  },
  severityColumn,
  { id: 'group', title: 'Group', value: (finding) => groupName(finding.category), isWide: true },
  { id: 'impact', title: 'Points', value: ({ scoreImpact }) => (scoreImpact === 0 ? 0 : -scoreImpact), isNumber: true },
  {
    id: 'evidence',
    title: 'Observed',
    value: (finding) => finding.evidence,
    cell: (finding) => <span className="lines">{finding.evidence}</span>,
    isWide: true,
  },
];

function Explained({ finding }: { finding: ScanFinding }): ReactNode {
  return (
    <details>
      <summary>{finding.title}</summary>
      <Stack gap={6} mt={6}>
        <Text size="sm">{finding.description}</Text>
        <Text size="sm">
          <b>Remediation:</b> {finding.remediation}
        </Text>
        {finding.evidence && <pre className="message-text">{finding.evidence}</pre>}
        {finding.references.map((reference) => (
          <Text key={reference} size="xs">
            <OutsideLink href={reference} />
          </Text>
        ))}
      </Stack>
    </details>
  );
}

/** The failing checks of a scan; each opens in place. */
export function ScanFindings({ scan }: { scan: Scan }): ReactNode {
  const accountId = useAccountId();
  const findings = useAllPages('listScanFindings', { accountId, id: scan.id }, (answer) => answer.findings);
  const filters = useMemo(() => filtersOf(findings.data ?? []), [findings.data]);
  return (
    <List
      noun="finding"
      columns={columns}
      filters={filters}
      rows={findings}
      idOf={(finding) => finding.id}
      empty={
        <NothingYet icon="check" title="No failed checks">
          Every check that ran has passed.
        </NothingYet>
      }
    />
  );
}

function filtersOf(findings: readonly ScanFinding[]): readonly Filter<ScanFinding>[] {
  const groups = [...new Set(findings.map(({ category }) => category))].sort();
  return [
    {
      id: 'severity',
      label: 'Severity',
      choices: severities.map(inWords),
      matches: (finding, value) => finding.severity === value,
    },
    {
      id: 'group',
      label: 'Group',
      choices: groups.map((value) => ({ value, label: groupName(value) })),
      matches: (finding, value) => finding.category === value,
    },
  ];
}
