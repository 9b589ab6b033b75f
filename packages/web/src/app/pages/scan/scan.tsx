import { Anchor, Group, List, Loader, RingProgress, Stack, Text } from '@mantine/core';
import type { Scan } from '@sortie/contract';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOf } from '../../api/call.ts';
import { useCall } from '../../api/queries.ts';
import { Facts } from '../../look/facts.tsx';
import { counted, formatTime } from '../../look/format.ts';
import { IdText } from '../../look/id-text.tsx';
import { LoadingPage, Page } from '../../look/page.tsx';
import { Problem, ProblemPage } from '../../look/problem.tsx';
import { ReportMenu } from '../../look/report-menu.tsx';
import { colorOf } from '../../look/score-color.ts';
import { Section } from '../../look/section.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useStarterName } from '../../shell/use-starter-name.ts';
import { PointsLost } from './points-lost.tsx';
import { ScanFindings } from './scan-findings.tsx';
import { ScoreTrend } from './score-trend.tsx';

export function ScanPage(): ReactNode {
  const accountId = useAccountId();
  const nameStarter = useStarterName();
  const { scanId: id = '' } = useParams({ strict: false });
  const {
    data: scan,
    error,
    refetch,
  } = useCall(
    'getScan',
    { accountId, id },
    {
      refetchInterval: (answer) => (answer?.status === 'COMPLETED' ? false : 2_000),
    },
  );
  if (!scan) return error ? <ProblemPage error={error} onRetry={refetch} /> : <LoadingPage title="Scan" />;
  return (
    <Page
      title={`Scan of ${scan.url}`}
      actions={
        scan.status === 'COMPLETED' && (
          <ReportMenu addressOf={(format) => addressOf('getScanReport', { accountId, scanId: id }, { format })} />
        )
      }
    >
      {error && <Problem error={error} onRetry={refetch} />}
      <Result scan={scan} />
      <Facts
        isFramed
        facts={{
          'Scan id': <IdText id={scan.id} />,
          Domain: scan.domain,
          'Started by': nameStarter(scan.apiKeyId),
          Created: formatTime(scan.createdAt),
          Completed: scan.completedAt && formatTime(scan.completedAt),
        }}
      />
      {scan.score !== null && (
        <>
          <Section title="Failed checks">
            <ScanFindings scan={scan} />
          </Section>
          <ScoreTrend scan={scan} />
          <NotRun scan={scan} />
        </>
      )}
    </Page>
  );
}

function Result({ scan }: { scan: Scan }): ReactNode {
  const { status, failure, score, grade, checks, notRunReasons } = scan;
  if (status !== 'COMPLETED') {
    return (
      <Group gap="sm" role="status">
        <Loader size="sm" aria-hidden />
        <Text size="sm">Scanning, usually for a few seconds. The result appears here by itself.</Text>
      </Group>
    );
  }
  if (score === null) {
    return (
      <Text size="sm" role="status">
        No result: {failure?.message ?? 'the scan did not finish.'} This is not a pass.
      </Text>
    );
  }
  return (
    <Group gap="2.5rem" align="center">
      <Gauge score={score} grade={grade ?? ''} />
      {checks && (
        <Stack gap={2}>
          <Anchor href="#failed-checks" size="sm">
            {counted(checks.failed, 'failed check')}
          </Anchor>
          <Text size="sm">{counted(checks.passed, 'passed check')}</Text>
          {checks.notApplicable !== null && <Text size="sm">{checks.notApplicable} do not apply</Text>}
          {notRunReasons.length > 0 ? (
            <Anchor href="#checks-without-a-result" size="sm">
              {checks.notRun} without a result
            </Anchor>
          ) : (
            <Text size="sm">{checks.notRun} without a result</Text>
          )}
        </Stack>
      )}
      <PointsLost scan={scan} />
    </Group>
  );
}

function Gauge({ score, grade }: { score: number; grade: string }): ReactNode {
  return (
    <RingProgress
      role="img"
      aria-label={`Score ${score} of 100, grade ${grade}`}
      size={140}
      thickness={12}
      roundCaps
      sections={[{ value: score, color: colorOf(score) }]}
      label={
        <Stack gap={0} align="center">
          <Text fz={32} fw={750} lh={1}>
            {grade}
          </Text>
          <Text size="sm">{score} of 100</Text>
        </Stack>
      }
    />
  );
}

function NotRun({ scan: { notRunReasons } }: { scan: Scan }): ReactNode {
  if (notRunReasons.length === 0) return null;
  return (
    <Section title="Checks without a result">
      <List size="sm">
        {notRunReasons.map(({ checkId, reason }) => (
          <List.Item key={checkId}>
            <b>{checkId}</b>: {reason}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
