import { Card, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAllPages, useCall } from '../../api/queries.ts';
import { formatNumber, formatTime } from '../../look/format.ts';
import { Page } from '../../look/page.tsx';
import { useAccountId, useScreenPath } from '../../shell/use-account.ts';
import { isOver } from '../runs/status.ts';

export function HomePage(): ReactNode {
  const accountId = useAccountId();
  const screenPath = useScreenPath();
  const runs = useAllPages('listPentests', { accountId }, (answer) => answer.pentests);
  const targets = useAllPages('listTargets', { accountId }, (answer) => answer.targets);
  const { data: balance } = useCall('getCreditsBalance', { accountId });
  const running = runs.data?.filter((run) => !isOver(run)).length;
  return (
    <Page title="Home">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        <Figure name="Runs in progress" value={running} path={screenPath('runs')} search={{ status: 'running' }} />
        <Figure name="Targets" value={targets.data?.length} path={screenPath('targets')} />
        <Figure
          name="Credits available"
          value={balance?.available}
          path={screenPath('credits')}
          {...(balance?.nextExpiry && {
            detail: `${formatNumber(balance.nextExpiry.credits)} expire ${formatTime(balance.nextExpiry.at)}`,
          })}
        />
      </SimpleGrid>
    </Page>
  );
}

interface FigureProps {
  name: string;
  value: number | undefined;
  path: string;
  search?: Record<string, string>;
  detail?: string;
}

/** A number that leads to the rows it counts. */
function Figure({ name, value, path, search, detail }: FigureProps): ReactNode {
  return (
    <Card withBorder component={Link} to={path as '/'} search={(search ?? {}) as never} padding="md">
      <Stack gap={2}>
        <Text size="sm" c="dimmed">
          {name}
        </Text>
        <Title order={2}>{value === undefined ? '–' : formatNumber(value)}</Title>
        {detail && (
          <Text size="xs" c="dimmed">
            {detail}
          </Text>
        )}
      </Stack>
    </Card>
  );
}
