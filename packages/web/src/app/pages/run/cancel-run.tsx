import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Pentest } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Problem } from '../../look/problem.tsx';
import { useAccountId, useMay } from '../../shell/use-account.ts';

export function CancelRun({ run }: { run: Pentest }): ReactNode {
  const accountId = useAccountId();
  const [isOpen, { open, close }] = useDisclosure();
  const cancel = useChange('cancelPentest');
  if (!useMay('pentests:write')) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        Cancel the run
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`Cancel the run on ${run.targetUrl}?`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack>
          <Text size="sm">
            Testing stops at once. Only the work done so far is charged, and the other held credits are returned. A
            cancelled run cannot be continued.
          </Text>
          {cancel.error && <Problem error={cancel.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Keep testing
            </Button>
            <Button
              color="red"
              loading={cancel.isPending}
              onClick={() => cancel.mutate({ params: { accountId, id: run.id } }, { onSuccess: close })}
            >
              Cancel the run
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
