import { Text } from '@mantine/core';
import { confidences, type Pentest, type PentestFindingsResponse, severities } from '@sortie/contract';
import { type ReactNode, useMemo } from 'react';
import { useAllPages } from '../../api/queries.ts';
import { useLastRead } from '../../api/use-last-read.ts';
import type { Column, Filter } from '../../list/columns.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { inWords } from '../../look/severity.tsx';
import { useAccountId, useScreenPath } from '../../shell/use-account.ts';
import { confidenceColumn, severityColumn, titleColumn } from '../findings/finding-columns.tsx';
import { historyWords } from '../findings/state-words.ts';
import { isOver } from '../runs/status.ts';

type RunFinding = PentestFindingsResponse['findings'][number];

const columns: readonly Column<RunFinding>[] = [
  titleColumn,
  severityColumn,
  confidenceColumn,
  { id: 'url', title: 'URL', value: (finding) => finding.affectedUrl, isWide: true, isLong: true },
  {
    id: 'cvss',
    title: 'CVSS',
    value: (finding) => finding.cvssScore,
    sortBy: (finding) => Number(finding.cvssScore),
    isWide: true,
  },
  { id: 'cwe', title: 'CWE', value: (finding) => finding.cweId, isWide: true, isShort: true },
  {
    id: 'history',
    title: 'History',
    value: (finding) => historyWords[finding.history] ?? finding.history,
    isWide: true,
  },
];

const filters: readonly Filter<RunFinding>[] = [
  {
    id: 'severity',
    label: 'Severity',
    choices: severities.map(inWords),
    matches: (finding, value) => finding.severity === value,
  },
  {
    id: 'confidence',
    label: 'Confidence',
    choices: confidences.map(inWords),
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
export function RunFindings({ run, isRejected }: { run: Pentest; isRejected?: boolean | undefined }): ReactNode {
  if (run.reportReleased) return <ReleasedFindings run={run} />;
  if (isRejected) return <Text size="sm">Hidden: the reviewer rejected the report.</Text>;
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
