import { Group, List, RingProgress, Stack, Text } from '@mantine/core';
import type { Scan } from '@sortie/contract';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { Facts } from '../../look/facts.tsx';
import { counted, formatTime } from '../../look/format.ts';
import { Page } from '../../look/page.tsx';
import { Problem, ProblemPage } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { ScanFindings } from './scan-findings.tsx';
import { ScoreTrend } from './score-trend.tsx';

export function ScanPage(): ReactNode {
  const accountId = useAccountId();
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
  if (!scan) return error ? <ProblemPage error={error} onRetry={refetch} /> : <Page title="Scan">Loading</Page>;
  return (
    <Page title={`Scan of ${scan.url}`}>
      {error && <Problem error={error} onRetry={refetch} />}
      <Result scan={scan} />
      <Facts
        facts={{
          'Scan id': scan.id,
          Domain: scan.domain,
          'Started by': scan.apiKeyId === null ? 'A person in the dashboard' : `API key ${scan.apiKeyId}`,
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
  const { status, failure, score, grade, checks } = scan;
  if (status !== 'COMPLETED') return <Text role="status">Scanning. This page shows the result when it is there.</Text>;
  if (score === null) {
    return <Text role="status">No result: {failure?.message ?? 'the scan did not finish.'} This is not a pass.</Text>;
  }
  return (
    <Group gap="xl" align="center">
      <Gauge score={score} grade={grade ?? ''} />
      {checks && (
        <Stack gap={2}>
          <Text size="sm">{counted(checks.failed, 'failed check')}</Text>
          <Text size="sm">{counted(checks.passed, 'passed check')}</Text>
          {checks.notApplicable !== null && <Text size="sm">{checks.notApplicable} do not apply</Text>}
          <Text size="sm">{checks.notRun} without a result</Text>
        </Stack>
      )}
    </Group>
  );
}

/** The bands of the grades: 90 and 50. */
const colorOf = (score: number) =>
  score >= 90 ? 'var(--pass)' : score >= 50 ? 'var(--severity-medium)' : 'var(--severity-high)';

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
