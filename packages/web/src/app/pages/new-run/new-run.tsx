import { Button, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import type { LevelsResponse, StartPentest, Target } from '@sortie/contract';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAllPages, useCall, useChange } from '../../api/queries.ts';
import { useStartKey } from '../../api/use-start-key.ts';
import { NothingYet } from '../../list/empty.tsx';
import { counted, formatNumber } from '../../look/format.ts';
import { Page } from '../../look/page.tsx';
import { Problem, ProblemPage } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { useAccountId, useScreenPath } from '../../shell/use-account.ts';
import { ApiEquivalent } from './api-equivalent.tsx';
import { isCovered } from './is-covered.ts';
import { type TestAccount, TestAccounts } from './test-accounts.tsx';

type Level = LevelsResponse['levels'][number];

export function NewRunPage(): ReactNode {
  const accountId = useAccountId();
  const targets = useAllPages('listTargets', { accountId }, (answer) => answer.targets);
  const levels = useCall('listLevels', { accountId });
  const error = targets.error ?? levels.error;
  if (error) return <ProblemPage error={error} onRetry={() => Promise.all([targets.refetch(), levels.refetch()])} />;
  if (!targets.data || !levels.data) return <Page title="New run">Loading</Page>;
  const verified = targets.data.filter((target) => target.verified);
  const offered = levels.data.levels.filter((level) => level.api);
  const [target, level] = [verified[0], offered[0]];
  return (
    <Page title="New run">
      {target && level ? (
        <StartForm targets={verified} levels={offered} first={{ target, level }} />
      ) : (
        <NothingYet icon="target" title="No verified target">
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
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const { data: balance } = useCall('getCreditsBalance', { accountId });
  const [target, setTarget] = useState(first.target);
  const [targetUrl, setTargetUrl] = useState(`${first.target.origin}/`);
  const [level, setLevel] = useState(first.level);
  const [accounts, setAccounts] = useState<readonly TestAccount[]>([]);
  const request: StartPentest = {
    targetUrl,
    verificationId: target.verificationId,
    depth: level.depth as NonNullable<StartPentest['depth']>,
    ...(accounts.length > 0 && { credentials: accounts as NonNullable<StartPentest['credentials']> }),
  };
  const start = useChange('startPentest');
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
                label: `${origin} (${method})`,
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
        <TestAccounts accounts={accounts} onChange={setAccounts} />
        <Section title="Start">
          <Text size="sm" maw={700}>
            {counted(level.credits, 'credit')} are held when the run starts. If you cancel it, only the work done is
            charged, and the rest is returned.
            {level.reviewCredits > 0 && ` ${formatNumber(level.reviewCredits)} of them pay for expert review.`}
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
        <ApiEquivalent request={request} hasAccounts={accounts.length > 0} />
      </Stack>
    </form>
  );
}

interface LevelChoiceProps {
  levels: readonly Level[];
  level: Level;
  onChange(level: Level): void;
}

function LevelChoice({ levels, level, onChange }: LevelChoiceProps): ReactNode {
  return (
    <Section title="Level">
      <Radio.Group
        aria-label="Level"
        value={level.depth}
        onChange={(depth) => {
          const chosen = levels.find((each) => each.depth === depth);
          if (chosen) onChange(chosen);
        }}
      >
        <Group align="stretch" gap="md">
          {levels.map(({ depth, name, credits, expertReview, maxMinutes }) => (
            <Radio.Card key={depth} value={depth} p="md" w={{ base: '100%', sm: 260 }}>
              <Group wrap="nowrap" align="flex-start">
                <Radio.Indicator />
                <div>
                  <Text fw={650}>{name}</Text>
                  <Text size="sm">{counted(credits, 'credit')}</Text>
                  <Text size="sm">{expertReview ? 'A reviewer signs the report off' : 'No expert review'}</Text>
                  <Text size="sm">{expertReview ? 'Findings after the sign-off' : 'Findings while it runs'}</Text>
                  <Text size="sm">At most {maxMinutes} min of testing</Text>
                </div>
              </Group>
            </Radio.Card>
          ))}
        </Group>
      </Radio.Group>
    </Section>
  );
}
