import { Button, Group, List, Paper, Progress, Skeleton, Text, ThemeIcon, Title } from '@mantine/core';
import { type FirstStep, firstSteps } from '@sortie/contract';
import { type ReactNode, useEffect } from 'react';
import { useCall, useChange } from '../../api/queries.ts';
import { Icon } from '../../look/icons.tsx';
import { Problem } from '../../look/problem.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useAccountId, useMe } from '../../shell/use-account.ts';

const steps: Readonly<Record<FirstStep, { title: string; to: string; detail: string }>> = {
  SCAN: { title: 'Scan a site', to: 'scans', detail: 'Free, harmless, and without verification' },
  TARGET: { title: 'Add a target', to: 'targets', detail: 'The origin that you want to test' },
  VERIFICATION: { title: 'Verify that it is yours', to: 'targets', detail: 'By a DNS record, a file or a meta tag' },
  RUN: { title: 'Start a pentest', to: 'runs/new', detail: 'Light only reads and costs the least' },
  KEY: { title: 'Create an API key', to: 'settings/keys', detail: 'With the permissions and the budget of a pipeline' },
  PIPELINE: {
    title: 'Call the API with it',
    to: 'runs/new',
    detail: 'New run shows the same start for curl and the CLI',
  },
};

/** Whether this browser showed the first steps of an account last time. */
const PLACE = 'sortie-first-steps';

/** The first steps, which tick themselves. Gone once they are done or put aside. */
export function FirstSteps(): ReactNode {
  const accountId = useAccountId();
  const { data, error, refetch } = useCall(
    'getGettingStarted',
    { accountId },
    { refetchInterval: (answer) => (answer && answer.done.length < firstSteps.length ? 30_000 : false) },
  );
  const skip = useChange('skipGettingStarted');
  const isShown = data && !data.isSkipped && data.done.length < firstSteps.length;
  useEffect(() => {
    if (isShown !== undefined) localStorage.setItem(`${PLACE}:${accountId}`, isShown ? 'shown' : 'over');
  }, [isShown, accountId]);
  if (error) return <Problem error={error} onRetry={refetch} />;
  // What is below them moves neither when they appear nor when they turn out to be over.
  if (!data && localStorage.getItem(`${PLACE}:${accountId}`) !== 'over')
    return <Skeleton height={284} role="status" aria-label="Loading" />;
  if (!data || data.done.length === firstSteps.length) return null;
  const set = (isSkipped: boolean) => skip.mutate({ params: { accountId }, body: { isSkipped } });
  if (data.isSkipped) {
    return (
      <Group>
        <Button size="compact-xs" variant="default" onClick={() => set(false)}>
          Show the first steps
        </Button>
      </Group>
    );
  }
  return (
    <Paper withBorder p="md" component="section" aria-label="First steps">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          First steps: {data.done.length} of {firstSteps.length}
        </Title>
        <Button size="compact-xs" variant="default" loading={skip.isPending} onClick={() => set(true)}>
          Skip
        </Button>
      </Group>
      <Progress
        size="sm"
        mb="md"
        value={(data.done.length / firstSteps.length) * 100}
        aria-label={`${data.done.length} of ${firstSteps.length} steps are done`}
      />
      {skip.error && <Problem error={skip.error} />}
      <List listStyleType="none" spacing="xs" center>
        {firstSteps.map((step) => (
          <Step key={step} step={step} isDone={data.done.includes(step)} />
        ))}
      </List>
    </Paper>
  );
}

function Step({ step, isDone }: { step: FirstStep; isDone: boolean }): ReactNode {
  const { title, to, detail } = steps[step];
  const { demoTarget } = useMe().service;
  const onDemo =
    demoTarget !== null && (step === 'SCAN' || step === 'RUN') ? '. The demo target is there to try it' : '';
  return (
    <List.Item
      icon={
        <ThemeIcon
          size={22}
          radius="xl"
          variant="default"
          aria-hidden="true"
          {...(isDone && { c: 'var(--pass)', bd: '1px solid var(--pass)' })}
        >
          {isDone ? <Icon name="check" size={13} /> : null}
        </ThemeIcon>
      }
    >
      <Text size="sm" span fw={isDone ? 400 : 600}>
        <ScreenLink to={to}>{title}</ScreenLink>
      </Text>{' '}
      <Text size="xs" c={isDone ? 'var(--pass)' : 'dimmed'} span ml={4}>
        {isDone ? 'Done' : detail + onDemo}
      </Text>
    </List.Item>
  );
}
