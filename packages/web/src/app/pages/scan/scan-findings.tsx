import { Stack, Text } from '@mantine/core';
import { type Scan, type ScanFindingsResponse, severities } from '@sortie/contract';
import { type ReactNode, useMemo } from 'react';
import { useAllPages } from '../../api/queries.ts';
import type { Column, Filter } from '../../list/columns.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { OutsideLink } from '../../look/outside-link.tsx';
import { SeverityLabel } from '../../look/severity.tsx';
import { useAccountId } from '../../shell/use-account.ts';

type Finding = ScanFindingsResponse['findings'][number];

const columns: readonly Column<Finding>[] = [
  {
    id: 'title',
    title: 'Check',
    value: (finding) => finding.title,
    cell: (finding) => <Explained finding={finding} />,
  },
  {
    id: 'severity',
    title: 'Severity',
    value: ({ severity }) => severity,
    sortBy: ({ severity }) => severities.indexOf(severity),
    cell: ({ severity }) => <SeverityLabel severity={severity} />,
  },
  { id: 'group', title: 'Group', value: (finding) => finding.category, isWide: true },
  { id: 'impact', title: 'Score', value: (finding) => -finding.scoreImpact },
  { id: 'evidence', title: 'Observed', value: (finding) => finding.evidence, isWide: true },
];

function Explained({ finding }: { finding: Finding }): ReactNode {
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

function filtersOf(findings: readonly Finding[]): readonly Filter<Finding>[] {
  const groups = [...new Set(findings.map(({ category }) => category))].sort();
  return [
    {
      id: 'severity',
      label: 'Severity',
      choices: severities.map((value) => ({ value, label: value })),
      matches: (finding, value) => finding.severity === value,
    },
    {
      id: 'group',
      label: 'Group',
      choices: groups.map((value) => ({ value, label: value })),
      matches: (finding, value) => finding.category === value,
    },
  ];
}
