import { SimpleGrid } from '@mantine/core';
import { type AccountFinding, type Scan, severities, type UsageRecord } from '@sortie/contract';
import type { ReactNode } from 'react';
import { ChartFrame } from '../../charts/chart-frame.tsx';
import { Lines } from '../../charts/lines.tsx';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { formatDay } from '../../look/format.ts';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { Charged } from './charged.tsx';
import { openOverTime, scoresOverTime } from './trends.ts';

const WEEKS = 12;
const SITES = 4;
const SCAN_DAYS = 12;

interface TrendChartsProps {
  findings: readonly AccountFinding[] | undefined;
  scans: readonly Scan[] | undefined;
  usage: readonly UsageRecord[] | undefined;
  now: number;
}

/** The trends that there is something to show of. */
export function TrendCharts({ findings = [], scans = [], usage = [], now }: TrendChartsProps): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {findings.length > 0 && <OpenFindings findings={findings} now={now} />}
      {scans.some(({ score }) => score !== null) && <Scores scans={scans} />}
      {usage.some(({ type }) => type === 'CHARGE') && <Charged usage={usage} now={now} />}
    </SimpleGrid>
  );
}

const short = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const worstLast = [...severities].reverse();
const word = (severity: string) => severity.charAt(0) + severity.slice(1).toLowerCase();

function OpenFindings({ findings, now }: { findings: readonly AccountFinding[]; now: number }): ReactNode {
  const points = openOverTime(findings, now, WEEKS, 7);
  const today = points.at(-1)?.counts;
  return (
    <ChartFrame
      title="Open findings by severity"
      note="At the end of each of the last twelve weeks; the last one is now. Of released reports."
      columns={['Until', ...severities.map(word)]}
      rows={points.map(({ at, counts }) => [
        formatDay(new Date(at).toISOString()),
        ...severities.map((severity) =>
          at === now && today ? (
            <ScreenLink key={severity} to={`findings?severity=${severity}`}>
              {counts[severity]}
            </ScreenLink>
          ) : (
            counts[severity]
          ),
        ),
      ])}
    >
      <StackedBars
        label={`Open findings over twelve weeks. Now: ${severities.map((each) => `${today?.[each] ?? 0} ${word(each)}`).join(', ')}`}
        labels={points.map(({ at }) => short.format(at))}
        layers={worstLast.map((severity) => ({
          name: word(severity),
          color: `var(--severity-${severity.toLowerCase()})`,
          values: points.map(({ counts }) => counts[severity]),
        }))}
      />
    </ChartFrame>
  );
}

const lineColors = ['var(--line-1)', 'var(--line-2)', 'var(--line-3)', 'var(--line-4)'];

function Scores({ scans }: { scans: readonly Scan[] }): ReactNode {
  const { days, lines } = scoresOverTime(scans, SITES, SCAN_DAYS);
  return (
    <ChartFrame
      title="Scores of scans"
      note="The latest scan of each day, of the sites that were scanned last. 100 is the best."
      columns={['Day', ...lines.map(({ url }) => url)]}
      rows={days.map((day, index) => [
        day,
        ...lines.map(({ url, scores }) => (
          <ScreenLink key={url} to={`scans?${new URLSearchParams({ q: url })}`}>
            {scores[index] ?? '–'}
          </ScreenLink>
        )),
      ])}
    >
      <Lines
        label={`Scores over time. Latest: ${lines.map(({ url, scores }) => `${url} ${scores.findLast((score) => score !== null)}`).join(', ')}`}
        labels={days.map((day) => short.format(new Date(day)))}
        top={100}
        lines={lines.map(({ url, scores }, index) => ({
          name: url,
          color: lineColors[index] ?? 'currentColor',
          values: scores,
        }))}
      />
    </ChartFrame>
  );
}
