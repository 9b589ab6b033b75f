import { Anchor, Stack, Text } from '@mantine/core';
import type { FindingEvent, FindingRecord } from '@sortie/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDay, formatTime } from '../../look/format.ts';
import { SeverityLabel } from '../../look/severity.tsx';
import { useScreenPath } from '../../shell/use-account.ts';
import { describeRetest } from './retest-words.ts';

interface Entry {
  key: string;
  at: string;
  what: ReactNode;
  text?: string | null;
}

/** Runs that report the finding, its retests, the fix and what people said, newest first. */
export function HistoryOf({ record }: { record: FindingRecord }): ReactNode {
  const screenPath = useScreenPath();
  const { events, sightings, retests, fixedAt } = record;
  const entries: Entry[] = [
    ...events.map((event) => ({ key: `event-${event.id}`, at: event.at, what: said(event), text: event.text })),
    ...sightings.map(({ runId, findingId, severity, at }) => ({
      key: findingId,
      at,
      what: (
        <>
          <Anchor component={Link} to={screenPath(`runs/${runId}/findings/${findingId}`) as '/'} size="sm">
            A run reports it
          </Anchor>{' '}
          <SeverityLabel severity={severity} />
        </>
      ),
    })),
    ...retests.map((retest) => ({
      key: retest.id,
      at: retest.testedAt ?? retest.createdAt,
      what: `Retest by ${retest.by.name}: ${describeRetest(retest)}`,
      text: retest.reason,
    })),
    ...(fixedAt
      ? [{ key: 'fixed', at: fixedAt, what: 'A run repeated the tests that found it, and it is fixed' }]
      : []),
  ];
  return (
    <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label="History, newest first">
      {entries
        .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
        .map(({ key, at, what, text }) => (
          <li key={key}>
            <Text size="xs" c="dimmed" component="div">
              {formatTime(at)}
            </Text>
            <Text size="sm" component="div">
              {what}
            </Text>
            {text && (
              <Text size="sm" maw={800} style={{ whiteSpace: 'pre-line' }}>
                {text}
              </Text>
            )}
          </li>
        ))}
    </Stack>
  );
}

function said({ kind, by, state, acceptedUntil, assignee }: FindingEvent): string {
  if (kind === 'NOTE') return `${by.name} noted`;
  if (kind === 'ASSIGNEE') return assignee ? `${by.name} assigned it to ${assignee.name}` : `${by.name} unassigned it`;
  if (state === 'ACCEPTED')
    return `${by.name} accepted it until ${acceptedUntil ? formatDay(acceptedUntil) : 'a date'}`;
  return state === 'OPEN' ? `${by.name} reopened it` : `${by.name} marked it as a false positive`;
}
