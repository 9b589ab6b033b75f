import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { FindingRecord as Recorded } from '@sortie/contract';
import { type ReactNode, useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { Facts } from '../../look/facts.tsx';
import { formatTime } from '../../look/format.ts';
import { Problem } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { useAccountId, useMay } from '../../shell/use-account.ts';
import { describeState } from '../findings/state-words.ts';
import { Assignee } from './assignee.tsx';
import { Decide, type Deciding } from './decide.tsx';
import { HistoryOf } from './history.tsx';
import { NoteForm } from './note-form.tsx';

/** What people decided about a finding. */
export function FindingState({ findingId }: { findingId: string }): ReactNode {
  const accountId = useAccountId();
  const { data, error, refetch } = useCall('getFindingRecord', { accountId, findingId });
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={80} role="status" aria-label="Loading" />;
  return <State record={data} findingId={findingId} />;
}

/** What people said about a finding, and where runs have seen it. */
export function FindingHistory({ findingId }: { findingId: string }): ReactNode {
  const accountId = useAccountId();
  const { data } = useCall('getFindingRecord', { accountId, findingId });
  // The state says why there is none.
  if (!data) return null;
  return (
    <Section title="History and notes">
      <NoteForm findingId={findingId} />
      <HistoryOf record={data} />
    </Section>
  );
}

function State({ record, findingId }: { record: Recorded; findingId: string }): ReactNode {
  const [deciding, setDeciding] = useState<Deciding>();
  const mayDecide = useMay('pentests:write');
  const { finding, fixedAt, events } = record;
  const decision = events.find(({ kind }) => kind === 'STATE');
  const reason = finding.state === decision?.state ? decision.text : null;
  return (
    <Section title="State">
      <Facts
        facts={{
          State: describeState(finding),
          Fixed: fixedAt && formatTime(fixedAt),
          'First seen': formatTime(finding.firstSeenAt),
          'Last seen': formatTime(finding.lastSeenAt),
          Assignee: <Assignee finding={finding} findingId={findingId} />,
        }}
      />
      {reason !== null && (
        <Text size="sm" maw={800} style={{ whiteSpace: 'pre-line' }}>
          Reason: {reason}
        </Text>
      )}
      {finding.id !== findingId && (
        <Alert color="gray" variant="outline">
          <Text size="sm">A later run reports this weakness, too. The state holds for all runs.</Text>
        </Alert>
      )}
      {mayDecide && finding.state !== 'FIXED' && (
        <Group gap="xs">
          {finding.state !== 'ACCEPTED' && (
            <Button size="xs" variant="default" onClick={() => setDeciding('ACCEPTED')}>
              Accept the risk
            </Button>
          )}
          {finding.state !== 'FALSE_POSITIVE' && (
            <Button size="xs" variant="default" onClick={() => setDeciding('FALSE_POSITIVE')}>
              Mark as false positive
            </Button>
          )}
          {finding.state !== 'OPEN' && (
            <Button size="xs" variant="default" onClick={() => setDeciding('OPEN')}>
              Reopen
            </Button>
          )}
        </Group>
      )}
      <Stack gap={0}>
        {deciding && <Decide state={deciding} findingId={findingId} onClose={() => setDeciding(undefined)} />}
      </Stack>
    </Section>
  );
}
