import { Anchor, SimpleGrid, Skeleton } from '@mantine/core';
import type { CreditsBalance, UsageRecord } from '@sortie/contract';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useAllPages, useCall } from '../../api/queries.ts';
import type { Column, Filter } from '../../list/columns.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { counted, formatDay, formatNumber, formatTime, monthOf } from '../../look/format.ts';
import { operationName } from '../../look/operation-name.ts';
import { Page } from '../../look/page.tsx';
import { Problem } from '../../look/problem.tsx';
import { Figure } from '../../shell/figure.tsx';
import { useAccountId, useScreenPath } from '../../shell/use-account.ts';
import { useStarterName } from '../../shell/use-starter-name.ts';
import { Charged } from '../home/charged.tsx';

const columns: readonly Column<UsageRecord>[] = [
  {
    id: 'created',
    title: 'When',
    value: (record) => record.createdAt,
    cell: (record) => formatTime(record.createdAt),
    isShort: true,
  },
  { id: 'type', title: 'Operation', value: (record) => record.type, cell: ({ type }) => operationName(type) },
  {
    id: 'credits',
    title: 'Credits',
    value: (record) => record.credits,
    cell: ({ credits }) => (credits > 0 ? `+${formatNumber(credits)}` : formatNumber(credits)),
    isNumber: true,
  },
  { id: 'part', title: 'Part', value: (record) => record.part, isWide: true },
  { id: 'description', title: 'For', value: (record) => record.description },
  {
    id: 'run',
    title: 'Run',
    value: (record) => record.pentestId,
    isShort: true,
    cell: ({ pentestId }) => pentestId && <RunLink id={pentestId} />,
    isWide: true,
  },
  {
    id: 'available',
    title: 'Available after',
    value: (record) => record.balanceAfter.available,
    cell: (record) => formatNumber(record.balanceAfter.available),
    isNumber: true,
    isWide: true,
  },
  {
    id: 'held',
    title: 'Held after',
    value: (record) => record.balanceAfter.held,
    cell: (record) => formatNumber(record.balanceAfter.held),
    isNumber: true,
    isWide: true,
  },
];

const filters: readonly Filter<UsageRecord>[] = [
  {
    id: 'type',
    label: 'Operation',
    choices: ['GRANT', 'HOLD', 'CHARGE', 'RETURN', 'EXPIRE', 'ADJUST'].map((value) => ({
      value,
      label: operationName(value),
    })),
    matches: (record, value) => record.type === value,
  },
  {
    id: 'part',
    label: 'Part',
    choices: [
      { value: 'testing', label: 'Testing' },
      { value: 'review', label: 'Expert review' },
    ],
    matches: (record, value) => record.part === value,
  },
];

/** The months and the keys that occur. */
function filtersFor(
  rows: readonly UsageRecord[],
  nameStarter: (apiKeyId: string | null) => string,
): readonly Filter<UsageRecord>[] {
  const months = [...new Set(rows.map(({ createdAt }) => createdAt.slice(0, 7)))];
  const keys = [...new Set(rows.flatMap(({ apiKeyId }) => apiKeyId ?? []))];
  return [
    ...filters,
    {
      id: 'month',
      label: 'Month (UTC)',
      choices: months.map((value) => ({ value, label: value })),
      matches: (record, value) => record.createdAt.startsWith(value),
    },
    {
      id: 'key',
      label: 'Started by',
      choices: [
        { value: 'none', label: nameStarter(null) },
        ...keys.map((value) => ({ value, label: nameStarter(value) })),
      ],
      matches: ({ apiKeyId, pentestId }, value) =>
        value === 'none' ? apiKeyId === null && pentestId !== null : apiKeyId === value,
    },
  ];
}

function RunLink({ id }: { id: string }): ReactNode {
  const path = useScreenPath()(`runs/${id}`);
  return (
    <Anchor component={Link} to={path as '/'} inherit className="cut" title={id}>
      {id}
    </Anchor>
  );
}

export function CreditsPage(): ReactNode {
  const accountId = useAccountId();
  const balance = useCall('getCreditsBalance', { accountId });
  const usage = useAllPages('getCreditsUsage', { accountId }, (answer) => answer.usage);
  const nameStarter = useStarterName();
  const now = useMemo(() => Date.now(), []);
  const filtersOfRows = useMemo(() => filtersFor(usage.data ?? [], nameStarter), [usage.data, nameStarter]);
  const hasCharges = usage.data?.some(({ type }) => type === 'CHARGE') ?? false;
  return (
    <Page title="Credits">
      {balance.error && <Problem error={balance.error} onRetry={balance.refetch} />}
      <SimpleGrid cols={{ base: 1, md: hasCharges ? 2 : 1 }}>
        {balance.data ? <BalanceCards balance={balance.data} isHalf={hasCharges} /> : <Skeleton height={230} />}
        {hasCharges && <Charged usage={usage.data ?? []} now={now} />}
      </SimpleGrid>
      <List
        noun="record"
        columns={columns}
        filters={filtersOfRows}
        rows={usage}
        idOf={(record) => record.id}
        empty={
          <NothingYet icon="credits" title="No credits yet">
            Each operation on the credits of this account will be listed here, with the balance after it.
          </NothingYet>
        }
      />
    </Page>
  );
}

function BalanceCards({ balance, isHalf }: { balance: CreditsBalance; isHalf: boolean }): ReactNode {
  const { available, held, plan, purchased, nextExpiry, memberAllowance } = balance;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: isHalf ? 2 : 4 }}>
      <Figure
        name="Available"
        value={available}
        to="credits?type=GRANT"
        detail={`${formatNumber(plan)} of the plan, ${formatNumber(purchased)} purchased`}
      />
      <Figure name="Held" value={held} to="runs?credits=held" detail="By runs that are not settled" />
      <Figure
        name="Next expiry"
        value={nextExpiry?.credits ?? 'None'}
        to="credits?type=GRANT"
        detail={nextExpiry ? `Expire on ${formatDay(nextExpiry.at)}` : 'Nothing expires'}
      />
      {memberAllowance && (
        <Figure
          name="Your allowance this month"
          value={`${formatNumber(memberAllowance.remaining)} left`}
          to={`credits?month=${monthOf(Date.now())}`}
          detail={`${formatNumber(memberAllowance.used)} of ${counted(memberAllowance.limit, 'credit')} used`}
        />
      )}
    </SimpleGrid>
  );
}
