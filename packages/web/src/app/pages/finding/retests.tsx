import { Button, Group, Loader, Table, Text } from '@mantine/core';
import type { FindingRetest } from '@sortie/contract';
import { type ReactNode, useState } from 'react';
import { useCall, useChange } from '../../api/queries.ts';
import { formatTime } from '../../look/format.ts';
import { Problem } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { WideTable } from '../../look/wide-table.tsx';
import { useAccountId, useMay } from '../../shell/use-account.ts';
import { AskForRetest } from './ask-for-retest.tsx';
import { describeOutcome, describeRetest } from './retest-words.ts';

interface RetestsProps {
  runId: string;
  findingId: string;
  /** Whether the proof of the finding is stored. */
  isTestable: boolean;
}

const LOOK_EVERY_MS = 3_000;

/** The latest retest of the finding, and the button for another one. Earlier ones are in the history. */
export function Retests({ runId, findingId, isTestable }: RetestsProps): ReactNode {
  const accountId = useAccountId();
  const mayTest = useMay('pentests:write');
  const [isAsking, setAsking] = useState(false);
  const { data } = useCall(
    'getFindingRecord',
    { accountId, findingId },
    { refetchInterval: (record) => (record?.retests[0]?.outcome === null ? LOOK_EVERY_MS : false) },
  );
  const latest = data?.retests[0];
  if (!data || (!latest && !(mayTest && isTestable))) return null;
  return (
    <Section title="Retest">
      <div role="status" className="may-be-empty">
        {latest && <Latest retest={latest} />}
      </div>
      {mayTest && isTestable && latest?.outcome !== null && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
            {latest ? 'Retest again' : 'Retest'}
          </Button>
          <Text size="xs" c="dimmed">
            Repeats the proof at the target. Free, and not part of the public API.
          </Text>
        </Group>
      )}
      {isAsking && <AskForRetest runId={runId} findingId={findingId} onClose={() => setAsking(false)} />}
    </Section>
  );
}

function Latest({ retest }: { retest: FindingRetest }): ReactNode {
  const { outcome, reason, testedAt, createdAt, by, places } = retest;
  return (
    <>
      <Group gap="xs">
        {outcome === null && <Loader size="xs" aria-hidden />}
        <Text size="sm" fw={600}>
          {describeRetest(retest)}
        </Text>
        {outcome === null && <Cancel retestId={retest.id} />}
      </Group>
      <Text size="xs" c="dimmed">
        {testedAt ? `Tested ${formatTime(testedAt)}` : `Since ${formatTime(createdAt)}`}, asked for by {by.name}
      </Text>
      {reason && (
        <Text size="sm" maw={800}>
          {reason}
        </Text>
      )}
      {places.length > 0 && <BeforeAndAfter places={places} />}
    </>
  );
}

function Cancel({ retestId }: { retestId: string }): ReactNode {
  const accountId = useAccountId();
  const mayCancel = useMay('pentests:write');
  const cancel = useChange('cancelRetest');
  if (!mayCancel) return null;
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ params: { accountId, retestId } })}
      >
        Cancel
      </Button>
      {cancel.error && <Problem error={cancel.error} />}
    </>
  );
}

function BeforeAndAfter({ places }: Pick<FindingRetest, 'places'>): ReactNode {
  return (
    <WideTable minWidth={480} aria-label="Before and after">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Place</Table.Th>
          <Table.Th>In the run</Table.Th>
          <Table.Th>In the retest</Table.Th>
          <Table.Th>Why</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {places.map(({ url, method, parameter, outcome, reason }) => (
          <Table.Tr key={[url, method, parameter].join('\n')}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {method} {url} {parameter && `(${parameter})`}
            </Table.Td>
            <Table.Td>Shows the weakness</Table.Td>
            <Table.Td>{describeOutcome(outcome)}</Table.Td>
            <Table.Td>{reason}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
