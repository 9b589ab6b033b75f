import { Group, Text } from '@mantine/core';
import type { Pentest } from '@sortie/contract';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { Copy } from '../../look/copy.tsx';
import { Facts } from '../../look/facts.tsx';
import { formatDuration, formatTime } from '../../look/format.ts';
import { Page } from '../../look/page.tsx';
import { ProblemPage } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { depthNames, describeRun, isOver } from '../runs/status.ts';
import { StatusLine } from '../runs/status-line.tsx';
import { CancelRun } from './cancel-run.tsx';
import { Cost } from './cost.tsx';
import { Phases } from './phases.tsx';
import { RunFindings } from './run-findings.tsx';
import { RunSummary } from './run-summary.tsx';

/** Frequent while the run works, rare while a reviewer or the ledger does, then never. */
function interval(run: Pentest | undefined): number | false {
  if (!run || !isOver(run)) return 3_000;
  return run.credits.state === 'RESERVED' ? 15_000 : false;
}

export function RunPage(): ReactNode {
  const accountId = useAccountId();
  const { runId: id = '' } = useParams({ strict: false });
  const { data: run, error, refetch } = useCall('getPentest', { accountId, id }, { refetchInterval: interval });
  if (!run) return error ? <ProblemPage error={error} onRetry={refetch} /> : <Page title="Run">Loading</Page>;
  return (
    <Page title={`Run on ${run.targetUrl}`} actions={!isOver(run) && <CancelRun run={run} />}>
      <div aria-live="polite">
        <StatusLine run={run} />
      </div>
      <Facts facts={factsOf(run)} />
      <Phases run={run} />
      <Section title="Findings">
        <RunFindings run={run} />
      </Section>
      {isOver(run) && run.reportReleased && <RunSummary id={run.id} />}
      <Section title="Cost">
        <Cost run={run} />
      </Section>
    </Page>
  );
}

function factsOf(run: Pentest): Record<string, ReactNode> {
  const { id, depth, apiKeyId, createdAt, startedAt, completedAt } = run;
  const end = completedAt === null ? Date.now() : Date.parse(completedAt);
  return {
    'Run id': (
      <Group gap="xs">
        <Text ff="monospace" size="xs">
          {id}
        </Text>
        <Copy value={id} />
      </Group>
    ),
    Level: depthNames[depth] ?? depth,
    Status: describeRun(run).status === run.status ? null : run.status,
    'Started by': apiKeyId === null ? 'A person in the dashboard' : `API key ${apiKeyId}`,
    Created: formatTime(createdAt),
    [completedAt === null ? 'Testing for' : 'Tested for']:
      startedAt === null ? null : formatDuration(end - Date.parse(startedAt)),
    Completed: completedAt === null ? null : formatTime(completedAt),
  };
}
