import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Problem } from './problem.tsx';

interface ConfirmProps {
  title: string;
  /** What happens, and what does not. */
  children: ReactNode;
  /** The word on the button that does it. */
  action: string;
  isPending: boolean;
  error: unknown;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, children, action, isPending, error, onConfirm, onClose }: ConfirmProps): ReactNode {
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text size="sm">{children}</Text>
        {error != null && <Problem error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep
          </Button>
          <Button color="red" loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
