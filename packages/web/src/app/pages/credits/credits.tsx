import { Anchor, Card, Group, SimpleGrid, Text } from '@mantine/core';
import type { CreditsBalance, UsageRecord } from '@sortie/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAllPages, useCall } from '../../api/queries.ts';
import type { Column, Filter } from '../../list/columns.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { counted, formatNumber, formatTime } from '../../look/format.ts';
import { Page } from '../../look/page.tsx';
import { Problem } from '../../look/problem.tsx';
import { useAccountId, useScreenPath } from '../../shell/use-account.ts';

const columns: readonly Column<UsageRecord>[] = [
  { id: 'created', title: 'When', value: (record) => record.createdAt, cell: (record) => formatTime(record.createdAt) },
  { id: 'type', title: 'Operation', value: (record) => record.type },
  {
    id: 'credits',
    title: 'Credits',
    value: (record) => record.credits,
    cell: ({ credits }) => (credits > 0 ? `+${formatNumber(credits)}` : formatNumber(credits)),
  },
  { id: 'part', title: 'Part', value: (record) => record.part, isWide: true },
  { id: 'description', title: 'For', value: (record) => record.description },
  {
    id: 'run',
    title: 'Run',
    value: (record) => record.pentestId,
    cell: ({ pentestId }) => pentestId && <RunLink id={pentestId} />,
    isWide: true,
  },
  { id: 'available', title: 'Available after', value: (record) => record.balanceAfter.available, isWide: true },
  { id: 'held', title: 'Held after', value: (record) => record.balanceAfter.held, isWide: true },
];

const filters: readonly Filter<UsageRecord>[] = [
  {
    id: 'type',
    label: 'Operation',
    choices: ['GRANT', 'HOLD', 'CHARGE', 'RETURN', 'EXPIRE', 'ADJUST'].map((value) => ({ value, label: value })),
    matches: (record, value) => record.type === value,
  },
];

function RunLink({ id }: { id: string }): ReactNode {
  const path = useScreenPath()(`runs/${id}`);
  return (
    <Anchor component={Link} to={path as '/'} inherit>
      {id}
    </Anchor>
  );
}

export function CreditsPage(): ReactNode {
  const accountId = useAccountId();
  const balance = useCall('getCreditsBalance', { accountId });
  const usage = useAllPages('getCreditsUsage', { accountId }, (answer) => answer.usage);
  return (
    <Page title="Credits">
      {balance.error && <Problem error={balance.error} onRetry={balance.refetch} />}
      {balance.data && <BalanceCards balance={balance.data} />}
      <List
        noun="record"
        columns={columns}
        filters={filters}
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

function BalanceCards({ balance }: { balance: CreditsBalance }): ReactNode {
  const { available, held, plan, purchased, nextExpiry, memberAllowance } = balance;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      <Figure
        name="Available"
        value={formatNumber(available)}
        detail={`${formatNumber(plan)} of the plan, ${formatNumber(purchased)} purchased`}
      />
      <Figure name="Held" value={formatNumber(held)} detail="By runs that are not settled" />
      <Figure
        name="Next expiry"
        value={nextExpiry ? formatNumber(nextExpiry.credits) : 'None'}
        detail={nextExpiry ? `Expire ${formatTime(nextExpiry.at)}` : 'Nothing expires'}
      />
      {memberAllowance && (
        <Figure
          name="Your allowance this month"
          value={`${formatNumber(memberAllowance.remaining)} left`}
          detail={`${formatNumber(memberAllowance.used)} of ${counted(memberAllowance.limit, 'credit')} used`}
        />
      )}
    </SimpleGrid>
  );
}

function Figure({ name, value, detail }: { name: string; value: string; detail: string }): ReactNode {
  return (
    <Card withBorder padding="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Group align="baseline" gap="xs">
        <Text size="xl" fw={700}>
          {value}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {detail}
      </Text>
    </Card>
  );
}
