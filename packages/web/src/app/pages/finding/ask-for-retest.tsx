import { Button, Checkbox, Group, Modal, ScrollArea, Stack, Text } from '@mantine/core';
import { MOST_RETESTED, RETESTS_PER_HOUR } from '@sortie/contract';
import { type ReactNode, useState } from 'react';
import { useAllPages, useChange } from '../../api/queries.ts';
import { Problem } from '../../look/problem.tsx';
import { useAccountId } from '../../shell/use-account.ts';

interface AskForRetestProps {
  runId: string;
  findingId: string;
  onClose(): void;
}

/** Asks which findings of the run are tested again, this one at least at first. */
export function AskForRetest({ runId, findingId, onClose }: AskForRetestProps): ReactNode {
  const accountId = useAccountId();
  const [chosen, setChosen] = useState([findingId]);
  const params = { accountId, id: runId };
  const { data: findings = [] } = useAllPages('listPentestFindings', params, (answer) => answer.findings);
  const start = useChange('startRetest');
  const isFull = chosen.length >= MOST_RETESTED;
  return (
    <Modal opened onClose={onClose} title="Retest findings" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate({ params: { accountId, runId }, body: { findingIds: chosen } }, { onSuccess: onClose });
        }}
      >
        <Stack>
          <Text size="sm">
            Repeats the proof of each finding with new values, under the rules of the target and with the test accounts
            of the run while they are kept (30 days). Free, at most {RETESTS_PER_HOUR} times an hour for a target. The
            state of a finding does not change before a pentest tests it again.
          </Text>
          <Checkbox.Group label={`Findings (at most ${MOST_RETESTED})`} value={chosen} onChange={setChosen}>
            <ScrollArea.Autosize mah={320} mt="xs">
              <Stack gap="xs">
                {findings.map(({ id, title }) => (
                  <Checkbox key={id} value={id} label={title} disabled={isFull && !chosen.includes(id)} />
                ))}
              </Stack>
            </ScrollArea.Autosize>
          </Checkbox.Group>
          {start.error && <Problem error={start.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button type="submit" loading={start.isPending} disabled={chosen.length === 0}>
              Retest
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
