import type { UsageRecord } from '@sortie/contract';
import type { ReactNode } from 'react';
import { ChartFrame } from '../../charts/chart-frame.tsx';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { formatNumber } from '../../look/format.ts';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { chargedByMonth } from './trends.ts';

const MONTHS = 6;
const short = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });

/** What runs have cost in each of the last months. */
export function Charged({ usage, now }: { usage: readonly UsageRecord[]; now: number }): ReactNode {
  const months = chargedByMonth(usage, now, MONTHS);
  return (
    <ChartFrame
      title="Credits charged by month"
      note="Months of UTC, as budgets and allowances count them."
      columns={['Month', 'Charged']}
      rows={months.map(({ month, credits }) => [
        month,
        <ScreenLink key={month} to={`credits?type=CHARGE&month=${month}`}>
          {formatNumber(credits)}
        </ScreenLink>,
      ])}
    >
      <StackedBars
        label={`Credits charged by month: ${months.map(({ month, credits }) => `${month} ${credits}`).join(', ')}`}
        labels={months.map(({ month }) => short.format(new Date(`${month}-01T00:00:00Z`)))}
        layers={[{ name: 'credits', color: 'var(--line-1)', values: months.map(({ credits }) => credits) }]}
      />
    </ChartFrame>
  );
}
