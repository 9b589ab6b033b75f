import { SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { Pentest, RunProgress } from '@sortie/contract';
import type { ReactNode } from 'react';
import { counted, formatDuration, formatNumber } from '../../look/format.ts';
import { Meter } from '../../look/meter.tsx';
import { Section } from '../../look/section.tsx';
import { WideTable } from '../../look/wide-table.tsx';
import { isOver } from '../runs/status.ts';

interface ProgressProps {
  run: Pentest;
  progress: RunProgress;
}

/** Time, requests, checks and cost so far. Never findings, so that it may be shown before the report is released. */
export function Progress({ run, progress }: ProgressProps): ReactNode {
  const { time, requests, checks, creditsSoFar, testingCredits, reviewCredits, runsAhead } = progress;
  if (runsAhead !== null) {
    return (
      <Text size="sm">
        {runsAhead === 0
          ? 'It is the next one to begin.'
          : `${counted(runsAhead, 'run')} of this service wait before it.`}
      </Text>
    );
  }
  return (
    <Section title={isOver(run) ? 'What was used' : 'So far'}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Meter
          name="Testing time"
          {...time}
          words={`${formatDuration(time.used)} of at most ${formatDuration(time.allowed)}`}
        />
        <Meter
          name="Requests"
          {...requests}
          words={`${formatNumber(requests.used)} of at most ${formatNumber(requests.allowed)}`}
        />
        {checks && (
          <Meter
            name="Checks begun"
            used={checks.begun}
            allowed={checks.planned}
            words={`${checks.begun} of ${checks.planned} that apply`}
            isProgress
          />
        )}
        {creditsSoFar !== null && testingCredits !== null && (
          <Meter
            name="Testing cost so far"
            used={creditsSoFar}
            allowed={testingCredits}
            words={`${formatNumber(creditsSoFar)} of at most ${counted(testingCredits, 'credit')}`}
          />
        )}
      </SimpleGrid>
      {!isOver(run) && creditsSoFar !== null && (
        <Text size="xs" c="dimmed">
          Counted when a step is saved.{' '}
          {reviewCredits ? `${counted(reviewCredits, 'credit')} for review are held besides.` : ''}
        </Text>
      )}
    </Section>
  );
}

/** Where the run went, and what it was refused to contact. */
export function Contacted({ progress: { contacted } }: { progress: RunProgress }): ReactNode {
  if (contacted.length === 0) return null;
  return (
    <Section title="Contacted">
      <WideTable minWidth={480}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Destination</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th ta="right">Requests</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {contacted.map(({ host, port, outcome, reason, requests }) => (
            <Table.Tr key={`${host}:${port}:${outcome}:${reason}`}>
              <Table.Td>
                {host}:{port}
              </Table.Td>
              <Table.Td>{outcome === 'CONTACTED' ? 'Contacted' : `Refused: ${reason ?? 'not allowed'}`}</Table.Td>
              <Table.Td ta="right">{formatNumber(requests)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Section>
  );
}

/** What the run left at the target, in the words of its summary. */
export function Impact({ run, summary }: { run: Pentest; summary: string | null | undefined }): ReactNode {
  const lines = (summary ?? '').split('\n').filter((line) => CHANGES.test(line));
  return (
    <Section title="Changes at the target">
      <Stack gap={4}>
        {lines.map((line) => (
          <Text key={line} size="sm">
            {line}
          </Text>
        ))}
        {lines.length === 0 && <Text size="sm">{withoutChanges(run, summary)}</Text>}
      </Stack>
    </Section>
  );
}

/** Sentences of the summary about what was created, changed, removed and left. */
const CHANGES =
  /^Sent \d+ requests?: |^Could not undo|^Changed (?:a|\d+) values? |entr(?:y|ies) created at|^Accepted without a sign|contains a marker/;

function withoutChanges(run: Pentest, summary: string | null | undefined): string {
  if (run.depth === 'LEAD') return 'This level only reads: it creates and changes nothing at the target.';
  if (!isOver(run))
    return 'What the run creates it deletes again, where the target offers it. The list follows when the run is over.';
  if (summary == null) return 'The list follows with the report.';
  return 'The summary of the run names nothing that was created, and no change that remains.';
}
