import { Alert, Group, Text } from '@mantine/core';
import type { Pentest, RunProgress } from '@sortie/contract';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOf } from '../../api/call.ts';
import { useCall } from '../../api/queries.ts';
import { Facts } from '../../look/facts.tsx';
import { formatDuration, formatTime } from '../../look/format.ts';
import { IdText } from '../../look/id-text.tsx';
import { LoadingPage, Page } from '../../look/page.tsx';
import { Problem, ProblemPage } from '../../look/problem.tsx';
import { ReportMenu } from '../../look/report-menu.tsx';
import { Section } from '../../look/section.tsx';
import { Updated } from '../../look/updated.tsx';
import { useNow } from '../../look/use-now.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { useStarterName } from '../../shell/use-starter-name.ts';
import { depthNames, describeRun, isOver } from '../runs/status.ts';
import { StatusLine } from '../runs/status-line.tsx';
import { CancelRun } from './cancel-run.tsx';
import { Cost } from './cost.tsx';
import { Halted } from './halted.tsx';
import { LiveCoverage } from './live-coverage.tsx';
import { Phases } from './phases.tsx';
import { Contacted, Impact, Progress } from './progress.tsx';
import { RunActivity } from './run-activity.tsx';
import { RunFindings } from './run-findings.tsx';
import { RunSummary } from './run-summary.tsx';

/** Frequent while the run works, rare while a reviewer or the ledger does, then never. */
function interval(run: Pentest | undefined): number | false {
  if (!run || !isOver(run)) return 3_000;
  return run.credits.state === 'RESERVED' ? 15_000 : false;
}

export function RunPage(): ReactNode {
  const accountId = useAccountId();
  const { runId = '' } = useParams({ strict: false });
  const {
    data: run,
    error,
    refetch,
    dataUpdatedAt,
  } = useCall('getPentest', { accountId, id: runId }, { refetchInterval: interval });
  const { data: progress } = useCall(
    'getRunProgress',
    { accountId, runId },
    { refetchInterval: () => interval(run), enabled: run !== undefined },
  );
  if (!run) return error ? <ProblemPage error={error} onRetry={refetch} /> : <LoadingPage title="Run" />;
  const hasReport = isOver(run) && run.reportReleased;
  const used = progress && <Progress run={run} progress={progress} />;
  return (
    <Page
      title={`Run on ${run.targetUrl}`}
      actions={
        <Group gap="sm">
          {hasReport && (
            <ReportMenu addressOf={(format) => addressOf('getRunReport', { accountId, runId }, { format })} />
          )}
          {!isOver(run) && <CancelRun run={run} />}
        </Group>
      }
    >
      {error && <Problem error={error} onRetry={refetch} />}
      <Group justify="space-between" align="flex-end" gap="sm">
        <div aria-live="polite">
          <StatusLine run={run} isRejected={progress?.review?.isRejected} />
        </div>
        {!isOver(run) && <Updated at={dataUpdatedAt} />}
      </Group>
      <Halted run={run} />
      {progress?.review?.isRejected && <Rejected since={progress.review.since} />}
      <RunFacts run={run} progress={progress} />
      <Phases run={run} progress={progress} />
      {!isOver(run) && used}
      <Section title="Findings">
        <RunFindings run={run} isRejected={progress?.review?.isRejected} />
      </Section>
      <LiveCoverage run={run} />
      {hasReport && <RunSummary id={run.id} />}
      {isOver(run) && used}
      {hasReport && <RunActivity runId={run.id} />}
      <ImpactOf run={run} />
      {progress && <Contacted progress={progress} />}
      <Section title="Cost">
        <Cost run={run} />
      </Section>
    </Page>
  );
}

/** What the API never says: it answers as while the review goes on. */
function Rejected({ since }: { since: string }): ReactNode {
  return (
    <Alert
      color="orange"
      variant="outline"
      title={`The reviewer rejected the report on ${formatTime(since)}`}
      c="inherit"
    >
      <Text size="sm">
        Its findings stay hidden, and the credits for review stay held. A reviewer can take the report up again, or the
        operator of this service returns credits: contact the operator. API clients see a report in review.
      </Text>
    </Alert>
  );
}

function ImpactOf({ run }: { run: Pentest }): ReactNode {
  const accountId = useAccountId();
  const hasSummary = isOver(run) && run.reportReleased;
  const { data } = useCall('getPentestSummary', { accountId, id: run.id }, { enabled: hasSummary });
  return <Impact run={run} summary={data?.summary} />;
}

function RunFacts({ run, progress }: { run: Pentest; progress: RunProgress | undefined }): ReactNode {
  const { id, depth, apiKeyId, createdAt, startedAt, completedAt } = run;
  const nameStarter = useStarterName();
  const now = useNow(startedAt !== null && completedAt === null);
  const end = completedAt === null ? now : Date.parse(completedAt);
  const reviewedSince = progress?.review && !progress.review.isRejected ? progress.review.since : null;
  return (
    <Facts
      isFramed
      facts={{
        'Run id': <IdText id={id} />,
        Level: depthNames[depth] ?? depth,
        Status: describeRun(run).status === run.status ? null : run.status,
        'Started by': nameStarter(apiKeyId),
        Created: formatTime(createdAt),
        [completedAt === null ? 'Running for' : 'Ran for']:
          startedAt === null ? null : formatDuration(end - Date.parse(startedAt)),
        Completed: completedAt === null ? null : formatTime(completedAt),
        'In review since': reviewedSince && formatTime(reviewedSince),
      }}
    />
  );
}
