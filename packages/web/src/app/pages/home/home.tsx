import { SimpleGrid, Skeleton } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useAllPages, useCall, useRows } from '../../api/queries.ts';
import { formatDay, formatNumber } from '../../look/format.ts';
import { Page } from '../../look/page.tsx';
import { Problem } from '../../look/problem.tsx';
import { Figure } from '../../shell/figure.tsx';
import { useAccountId, useMe } from '../../shell/use-account.ts';
import { isOver } from '../runs/status.ts';
import { FirstSteps } from './getting-started.tsx';
import { needsOf } from './needs.ts';
import { NeedsList } from './needs-list.tsx';

const TrendCharts = lazy(() => import('./trend-charts.tsx').then((loaded) => ({ default: loaded.TrendCharts })));

export function HomePage(): ReactNode {
  const accountId = useAccountId();
  const userId = useMe().user.id;
  const runs = useAllPages('listPentests', { accountId }, (answer) => answer.pentests);
  const targets = useAllPages('listManagedTargets', { accountId }, (answer) => answer.targets);
  const findings = useRows('listAccountFindings', { accountId }, (answer) => answer.findings);
  const scans = useAllPages('listScans', { accountId }, (answer) => answer.scans);
  const usage = useAllPages('getCreditsUsage', { accountId }, (answer) => answer.usage);
  const keys = useRows('listKeys', { accountId }, (answer) => answer.keys);
  const { data: balance } = useCall('getCreditsBalance', { accountId });
  const { data: levels } = useCall('listLevels', { accountId });
  const now = useMemo(() => Date.now(), []);
  const needs = useMemo(
    () =>
      needsOf(
        {
          runs: runs.data ?? [],
          targets: targets.data ?? [],
          keys: keys.data ?? [],
          findings: findings.data ?? [],
          balance,
          cheapest: levels?.levels[0]?.credits,
          userId,
        },
        now,
      ),
    [runs.data, targets.data, keys.data, findings.data, balance, levels, userId, now],
  );
  const isReading = [runs, targets, keys, findings].some((each) => each.isPending);
  const failed = [runs, targets, keys, findings, scans, usage].find((each) => each.error);
  const open = (severity: string) =>
    findings.data?.filter((finding) => finding.state === 'OPEN' && finding.severity === severity).length;
  return (
    <Page title="Home">
      {failed && <Problem error={failed.error} onRetry={failed.refetch} />}
      <FirstSteps />
      <SimpleGrid cols={{ base: 2, sm: 3, md: 5 }}>
        <Figure name="Open, critical" value={open('CRITICAL')} to="findings?severity=CRITICAL" severity="CRITICAL" />
        <Figure name="Open, high" value={open('HIGH')} to="findings?severity=HIGH" severity="HIGH" />
        <Figure
          name="Runs in progress"
          value={runs.data?.filter((run) => !isOver(run)).length}
          to="runs?status=running"
        />
        <Figure name="Targets" value={targets.data?.length} to="targets" />
        <Figure
          name="Credits available"
          value={balance?.available}
          to="credits"
          {...(balance?.nextExpiry && {
            detail: `${formatNumber(balance.nextExpiry.credits)} expire on ${formatDay(balance.nextExpiry.at)}`,
          })}
        />
      </SimpleGrid>
      {isReading ? <Skeleton height={120} /> : <NeedsList needs={needs} />}
      {isReading || scans.isPending || usage.isPending ? (
        <Skeleton height={260} />
      ) : (
        <Suspense fallback={<Skeleton height={260} />}>
          <TrendCharts findings={findings.data} scans={scans.data} usage={usage.data} now={now} />
        </Suspense>
      )}
    </Page>
  );
}
