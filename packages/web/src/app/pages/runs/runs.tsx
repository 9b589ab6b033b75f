import { Button } from '@mantine/core';
import { depths, type Pentest, pentestStatuses } from '@sortie/contract';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useAllPages, useRows } from '../../api/queries.ts';
import type { Column, Filter } from '../../list/columns.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { formatTime } from '../../look/format.ts';
import { Page } from '../../look/page.tsx';
import { UrlText } from '../../look/url-text.tsx';
import { useAccountId, useMay, useScreenPath } from '../../shell/use-account.ts';
import { useStarterName } from '../../shell/use-starter-name.ts';
import { FindingCountsLine } from './finding-counts.tsx';
import { depthNames, describeRun, isOver } from './status.ts';
import { StatusLine } from './status-line.tsx';

const filters: readonly Filter<Pentest>[] = [
  {
    id: 'status',
    label: 'Status',
    choices: [
      { value: 'running', label: 'In progress' },
      ...pentestStatuses.map((status) => ({ value: status, label: status })),
    ],
    matches: (run, value) => (value === 'running' ? !isOver(run) : run.status === value),
  },
  {
    id: 'depth',
    label: 'Level',
    choices: depths.map((depth) => ({ value: depth, label: depthNames[depth] })),
    matches: (run, value) => run.depth === value,
  },
  {
    id: 'credits',
    label: 'Credits',
    choices: [{ value: 'held', label: 'Held' }],
    matches: ({ credits }) => credits.state === 'RESERVED',
  },
  {
    id: 'startedBy',
    label: 'Started by',
    choices: [
      { value: 'dashboard', label: 'Dashboard' },
      { value: 'api', label: 'API' },
    ],
    matches: (run, value) => (run.apiKeyId === null) === (value === 'dashboard'),
  },
];

function columnsOf(
  screenPath: (screen: string) => string,
  isRejected: (run: Pentest) => boolean,
  nameStarter: (apiKeyId: string | null) => string,
): readonly Column<Pentest>[] {
  return [
    {
      id: 'target',
      title: 'Target',
      value: (run) => run.targetUrl,
      cell: (run) => <UrlText url={run.targetUrl} />,
    },
    {
      id: 'status',
      title: 'Status',
      value: (run) => describeRun(run, isRejected(run)).status,
      cell: (run) => <StatusLine run={run} isRejected={isRejected(run)} />,
    },
    {
      id: 'level',
      title: 'Level',
      value: (run) => depthNames[run.depth] ?? run.depth,
      sortBy: (run) => depths.indexOf(run.depth),
    },
    {
      id: 'findings',
      title: 'Findings',
      value: ({ findingCounts }) => findingCounts?.total ?? null,
      cell: (run) => <FindingCountsLine counts={run.findingCounts} listPath={screenPath(`runs/${run.id}`)} />,
    },
    { id: 'startedBy', title: 'Started by', value: (run) => nameStarter(run.apiKeyId), isWide: true },
    {
      id: 'created',
      title: 'Created',
      value: (run) => run.createdAt,
      cell: (run) => formatTime(run.createdAt),
      isShort: true,
      isWide: true,
    },
  ];
}

/** Runs that work are read again more often than runs that wait. */
const WORKING_MS = 5_000;
const RESTING_MS = 30_000;

export function RunsPage(): ReactNode {
  const accountId = useAccountId();
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const nameStarter = useStarterName();
  const mayStart = useMay('pentests:write');
  const runs = useAllPages('listPentests', { accountId }, ({ pentests }) => pentests, {
    refetchInterval: (rows) => (rows?.some((run) => !isOver(run)) ? WORKING_MS : RESTING_MS),
  });
  const { data: rejected } = useRows('listRejectedRuns', { accountId }, (answer) => answer.runs);
  const columns = useMemo(() => {
    const ids = new Set(rejected?.map(({ runId }) => runId));
    return columnsOf(screenPath, ({ id }) => ids.has(id), nameStarter);
  }, [screenPath, rejected, nameStarter]);
  return (
    <Page
      title="Runs"
      actions={mayStart && <Button onClick={() => navigate({ href: screenPath('runs/new') })}>New run</Button>}
    >
      <List
        noun="run"
        columns={columns}
        filters={filters}
        rows={runs}
        idOf={(run) => run.id}
        pathOf={(run) => screenPath(`runs/${run.id}`)}
        empty={
          <NothingYet
            icon="run"
            title="No runs yet"
            {...(mayStart && { action: { label: 'Start a run', path: screenPath('runs/new') } })}
          >
            A run tests a verified target for weaknesses and proves what it finds. Runs that pipelines start through the
            API are listed here, too.
          </NothingYet>
        }
      />
    </Page>
  );
}
