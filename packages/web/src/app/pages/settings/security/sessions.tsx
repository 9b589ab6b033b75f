import { Badge, Button, Group, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../../api/call.ts';
import { useCall, useChange } from '../../../api/queries.ts';
import { formatDay, formatTime } from '../../../look/format.ts';
import { Problem } from '../../../look/problem.tsx';
import { Section } from '../../../look/section.tsx';
import { browserOf } from './browser-of.ts';
import { Entries } from './entries.tsx';

type Session = AnswerOf<'listSessions'>['sessions'][number];

export function Sessions(): ReactNode {
  const sessions = useCall('listSessions', {});
  const endOne = useChange('endSession');
  const endOthers = useChange('endOtherSessions');
  const error = sessions.error ?? endOne.error ?? endOthers.error;
  const listed = sessions.data?.sessions ?? [];
  return (
    <Section title="Sessions">
      {error && <Problem error={error} onRetry={() => sessions.refetch()} />}
      {sessions.isPending && <Skeleton height={60} />}
      <Entries
        label="Sessions"
        entries={listed.map((session) => ({
          id: session.id,
          title: <Title session={session} />,
          details: detailsOf(session),
          action: !session.isCurrent && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`End the session of ${browserOf(session.userAgent)}`}
              loading={endOne.isPending && endOne.variables.params.sessionId === session.id}
              onClick={() => endOne.mutate({ params: { sessionId: session.id } })}
            >
              End
            </Button>
          ),
        }))}
      />
      {listed.length > 1 && (
        <Button
          variant="default"
          loading={endOthers.isPending}
          onClick={() => endOthers.mutate({ params: {} })}
          style={{ alignSelf: 'flex-start' }}
        >
          End all other sessions
        </Button>
      )}
    </Section>
  );
}

function Title({ session: { userAgent, isCurrent } }: { session: Session }): ReactNode {
  return (
    <Group gap="xs">
      {browserOf(userAgent)}
      {isCurrent && (
        <Badge variant="outline" color="gray" c="bright">
          This session
        </Badge>
      )}
    </Group>
  );
}

/** The service writes down uses once a day only. */
const detailsOf = ({ address, signedInAt, lastUsedAt }: Session): string =>
  [`Signed in ${formatTime(signedInAt)}`, `last used ${formatDay(lastUsedAt)}`, address].filter(Boolean).join(' · ');
