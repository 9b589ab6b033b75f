import { Text } from '@mantine/core';
import { confidences, type Pentest, type PentestFindingsResponse, severities } from '@sortie/contract';
import { type ReactNode, useMemo } from 'react';
import { useAllPages } from '../../api/queries.ts';
import { useLastRead } from '../../api/use-last-read.ts';
import type { Column, Filter } from '../../list/columns.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { ConfidenceBadge, SeverityLabel } from '../../look/severity.tsx';
import { useAccountId, useScreenPath } from '../../shell/use-account.ts';
import { isOver } from '../runs/status.ts';

type Finding = PentestFindingsResponse['findings'][number];

const rank = (order: readonly string[], value: string) => {
  const index = order.indexOf(value);
  return index < 0 ? order.length : index;
};

const columns: readonly Column<Finding>[] = [
  { id: 'title', title: 'Finding', value: (finding) => finding.title },
  {
    id: 'severity',
    title: 'Severity',
    value: ({ severity }) => severity,
    sortBy: ({ severity }) => rank(severities, severity),
    cell: ({ severity }) => <SeverityLabel severity={severity} />,
  },
  {
    id: 'confidence',
    title: 'Confidence',
    value: ({ confidence }) => confidence,
    sortBy: ({ confidence }) => rank(confidences, confidence),
    cell: ({ confidence }) => <ConfidenceBadge confidence={confidence} />,
  },
  { id: 'url', title: 'URL', value: (finding) => finding.affectedUrl, isWide: true },
  {
    id: 'cvss',
    title: 'CVSS',
    value: (finding) => finding.cvssScore,
    sortBy: (finding) => Number(finding.cvssScore),
    isWide: true,
  },
  { id: 'cwe', title: 'CWE', value: (finding) => finding.cweId, isWide: true },
  {
    id: 'history',
    title: 'History',
    value: (finding) => historyWords[finding.history] ?? finding.history,
    isWide: true,
  },
];

const historyWords: Readonly<Record<string, string>> = { NEW: 'New', OPEN: 'Still open', REGRESSION: 'Regression' };

const filters: readonly Filter<Finding>[] = [
  {
    id: 'severity',
    label: 'Severity',
    choices: severities.map((value) => ({ value, label: value })),
    matches: (finding, value) => finding.severity === value,
  },
  {
    id: 'confidence',
    label: 'Confidence',
    choices: confidences.map((value) => ({ value, label: value })),
    matches: (finding, value) => finding.confidence === value,
  },
  {
    id: 'history',
    label: 'History',
    choices: Object.entries(historyWords).map(([value, label]) => ({ value, label })),
    matches: (finding, value) => finding.history === value,
  },
];

/** The findings of a released report. Before its release nothing is asked for, and nothing is shown. */
export function RunFindings({ run }: { run: Pentest }): ReactNode {
  if (run.reportReleased) return <ReleasedFindings run={run} />;
  if (run.status === 'COMPLETED') return <Text size="sm">Hidden until a reviewer signs the report off.</Text>;
  if (isOver(run)) return <Text size="sm">This run has no report.</Text>;
  return <Text size="sm">Hidden until the report is released. Until then, only the state of the run is shown.</Text>;
}

function ReleasedFindings({ run }: { run: Pentest }): ReactNode {
  const accountId = useAccountId();
  const screenPath = useScreenPath();
  const params = useMemo(() => ({ accountId, id: run.id }), [accountId, run.id]);
  const findings = useAllPages('listPentestFindings', params, (answer) => answer.findings, {
    refetchInterval: () => (isOver(run) ? false : 5_000),
  });
  useLastRead(isOver(run), findings.refetch);
  return (
    <List
      noun="finding"
      columns={columns}
      filters={filters}
      rows={findings}
      idOf={(finding) => finding.id}
      pathOf={(finding) => screenPath(`runs/${run.id}/findings/${finding.id}`)}
      empty={
        isOver(run) ? (
          <NothingYet icon="check" title="No findings">
            What was tested, and what was not, is listed below.
          </NothingYet>
        ) : (
          <NothingYet icon="clock" title="Nothing found yet">
            Findings appear here as they are proved. This is not a result: the run goes on.
          </NothingYet>
        )
      }
    />
  );
}
