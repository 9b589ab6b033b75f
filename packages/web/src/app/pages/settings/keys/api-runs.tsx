import { Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAllPages } from '../../../api/queries.ts';
import { Problem } from '../../../look/problem.tsx';
import { Section } from '../../../look/section.tsx';
import { ScreenLink } from '../../../shell/screen-link.tsx';
import { useAccountId } from '../../../shell/use-account.ts';
import { ApiSwitch } from '../../target/api-switch.tsx';
import { onePerTarget } from './one-per-target.ts';

/** Which targets keys may start pentests of. */
export function ApiRuns(): ReactNode {
  const accountId = useAccountId();
  const { data, error, refetch } = useAllPages('listManagedTargets', { accountId }, (answer) => answer.targets);
  return (
    <Section title="API runs">
      <Text size="sm" maw={700}>
        API keys start pentests only of targets whose switch is on. It is the same switch as on the page of the target.
      </Text>
      {error && <Problem error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={36} role="status" aria-label="Loading" />}
      {data?.length === 0 && (
        <Text size="sm">
          No targets yet. <ScreenLink to="targets">Add a target</ScreenLink> first.
        </Text>
      )}
      <Stack gap="xs">
        {data &&
          onePerTarget(data).map((target) => (
            <ApiSwitch
              key={target.targetId}
              target={target}
              label={`API runs of ${target.origin}`}
              {...(!target.verified && { description: 'Not verified: nothing starts before.' })}
            />
          ))}
      </Stack>
    </Section>
  );
}
