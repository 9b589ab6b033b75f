import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { StartRun, Target } from '@sortie/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAllPages, useCall, useChange } from '../../api/queries.ts';
import { useStartKey } from '../../api/use-start-key.ts';
import { NothingYet } from '../../list/empty.tsx';
import { counted, formatNumber } from '../../look/format.ts';
import { LoadingPage, Page } from '../../look/page.tsx';
import { Problem, ProblemPage } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { useAccountId, useMe, useScreenPath } from '../../shell/use-account.ts';
import { ApiEquivalent } from './api-equivalent.tsx';
import { isCovered } from './is-covered.ts';
import { type Level, LevelChoice } from './level-choice.tsx';
import type { TestAccount } from './test-account.ts';
import { TestAccounts } from './test-accounts.tsx';

export function NewRunPage(): ReactNode {
  const accountId = useAccountId();
  const screenPath = useScreenPath();
  const { demoTarget } = useMe().service;
  const { target: wanted } = useSearch({ strict: false }) as { target?: string };
  const isWanted = ({ verificationId }: Target) => verificationId === wanted;
  const isDemo = ({ origin }: Target) => origin === demoTarget;
  const targets = useAllPages('listTargets', { accountId }, (answer) => answer.targets);
  const levels = useCall('listLevels', { accountId });
  const error = targets.error ?? levels.error;
  if (error) return <ProblemPage error={error} onRetry={() => Promise.all([targets.refetch(), levels.refetch()])} />;
  if (!targets.data || !levels.data) return <LoadingPage title="New run" />;
  const verified = targets.data.filter((target) => target.verified);
  const offered = levels.data.levels;
  const [target, level] = [verified.find(isWanted) ?? verified.find(isDemo) ?? verified[0], offered[0]];
  return (
    <Page title="New run">
      {target && level ? (
        <StartForm targets={verified} levels={offered} first={{ target, level }} />
      ) : (
        <NothingYet
          icon="target"
          title="No verified target"
          action={{ label: 'Verify a target', path: screenPath('targets') }}
        >
          A pentest needs a target whose ownership is verified. Verify one first; passive scans need none.
        </NothingYet>
      )}
    </Page>
  );
}

interface StartFormProps {
  targets: readonly Target[];
  levels: readonly Level[];
  first: { target: Target; level: Level };
}

function StartForm({ targets, levels, first }: StartFormProps): ReactNode {
  const accountId = useAccountId();
  const { demoTarget } = useMe().service;
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const { data: balance } = useCall('getCreditsBalance', { accountId });
  const [target, setTarget] = useState(first.target);
  const [targetUrl, setTargetUrl] = useState(`${first.target.origin}/`);
  const [level, setLevel] = useState(first.level);
  const [accounts, setAccounts] = useState<readonly TestAccount[]>([]);
  const request: StartRun = {
    targetUrl,
    verificationId: target.verificationId,
    depth: level.depth,
    ...(accounts.length > 0 && { credentials: accounts as NonNullable<StartRun['credentials']> }),
  };
  const start = useChange('startRun');
  const idempotencyKey = useStartKey(request);
  const covered = isCovered(target, targetUrl);
  const missing = balance ? level.credits - balance.available : 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate(
          { params: { accountId }, body: request, idempotencyKey },
          { onSuccess: ({ id }) => navigate({ href: screenPath(`runs/${id}`) }) },
        );
      }}
    >
      <Stack gap="lg">
        <Section title="Target">
          <Group align="flex-start" gap="md">
            <Select
              label="Verified target"
              w={{ base: '100%', sm: 320 }}
              allowDeselect={false}
              data={targets.map(({ verificationId, origin, method }) => ({
                value: verificationId,
                label: `${origin} (${origin === demoTarget ? 'demo target' : method})`,
              }))}
              value={target.verificationId}
              onChange={(id) => {
                const chosen = targets.find(({ verificationId }) => verificationId === id);
                if (!chosen) return;
                setTarget(chosen);
                setTargetUrl(`${chosen.origin}/`);
              }}
            />
            <TextInput
              label="URL to test"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              description={`The verification covers ${target.coveredName ?? target.coveredOrigin ?? target.origin}`}
              w={{ base: '100%', sm: 420 }}
              required
              value={targetUrl}
              onChange={(event) => setTargetUrl(event.currentTarget.value)}
              error={covered ? undefined : 'The verification of this target does not cover this URL.'}
            />
          </Group>
        </Section>
        <LevelChoice levels={levels} level={level} onChange={setLevel} />
        <TestAccounts
          accounts={accounts}
          tested={{ verificationId: target.verificationId, targetUrl }}
          onChange={setAccounts}
        />
        <Section title="Start">
          <Text size="sm" maw={700}>
            {counted(level.credits, 'credit')} are held when the run starts
            {level.reviewCredits > 0 && `, ${formatNumber(level.reviewCredits)} of them for expert review`}. Testing is
            charged by what it used, at least 100; if you cancel the run, only the work done. The rest is returned. The
            run follows the rules of engagement of the target.
          </Text>
          {missing > 0 && (
            <Text size="sm" role="status" c="var(--severity-high)">
              {counted(missing, 'credit')} are missing: {formatNumber(balance?.available ?? 0)} are available.
            </Text>
          )}
          {start.error && <Problem error={start.error} />}
          <Group>
            <Button type="submit" loading={start.isPending} disabled={!covered || missing > 0}>
              Start {level.name} (holds {counted(level.credits, 'credit')})
            </Button>
          </Group>
        </Section>
        {level.api && <ApiEquivalent request={request} hasAccounts={accounts.length > 0} />}
      </Stack>
    </form>
  );
}
