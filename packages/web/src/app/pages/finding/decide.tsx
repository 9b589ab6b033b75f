import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { CallOptions } from '../../api/call.ts';
import { useChange } from '../../api/queries.ts';
import { Problem } from '../../look/problem.tsx';
import { useAccountId } from '../../shell/use-account.ts';

type Body = NonNullable<CallOptions<'setFindingState'>['body']>;
export type Deciding = Body['state'];

const words: Readonly<Record<Deciding, { title: string; action: string; effect: string }>> = {
  ACCEPTED: {
    title: 'Accept the risk',
    action: 'Accept',
    effect: 'Until the date, the finding is not open, also where later runs find it again. Then it is open again.',
  },
  FALSE_POSITIVE: {
    title: 'Mark as false positive',
    action: 'Mark as false positive',
    effect: 'The finding is not open, also where later runs find it again. Reports and the gate in CI still have it.',
  },
  OPEN: {
    title: 'Reopen the finding',
    action: 'Reopen',
    effect: 'It counts as open again. The earlier decision stays in the history.',
  },
};

const DAY = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Asks for the reason of a decision, and for its date. */
export function Decide(props: { state: Deciding; findingId: string; onClose(): void }): ReactNode {
  const { state, findingId, onClose } = props;
  const accountId = useAccountId();
  const [reason, setReason] = useState('');
  const [day, setDay] = useState(() => dayOf(Date.now() + 90 * DAY));
  const decide = useChange('setFindingState');
  const { title, action, effect } = words[state];
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const body = bodyOf(state, reason, day);
          decide.mutate({ params: { accountId, findingId }, body }, { onSuccess: onClose });
        }}
      >
        <Stack>
          <Text size="sm">{effect}</Text>
          {state === 'ACCEPTED' && (
            <TextInput
              type="date"
              label="Until"
              description="The end of this day (UTC)."
              required
              min={dayOf(Date.now())}
              value={day}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
          )}
          {state !== 'OPEN' && (
            <Textarea
              label="Reason"
              description="The members of the account read it."
              required
              autosize
              minRows={3}
              maxLength={5_000}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              data-autofocus
            />
          )}
          {decide.error && <Problem error={decide.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Keep
            </Button>
            <Button type="submit" loading={decide.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function bodyOf(state: Deciding, reason: string, day: string): Body {
  if (state === 'OPEN') return { state };
  if (state === 'FALSE_POSITIVE') return { state, reason };
  return { state, reason, until: `${day}T23:59:59Z` };
}
