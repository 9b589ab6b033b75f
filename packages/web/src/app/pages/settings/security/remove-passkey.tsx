import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { callAuth } from '../../../api/auth.ts';
import { Dialog } from '../../../look/dialog.tsx';
import { Problem } from '../../../look/problem.tsx';
import { useAuthChange } from './use-auth.ts';

export interface Passkey {
  id: string;
  name: string | null;
  createdAt: string | null;
}

export function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose(): void }): ReactNode {
  const remove = useAuthChange(() => callAuth('passkey/delete-passkey', { id: passkey.id }));
  return (
    <Dialog title={`Remove ${passkey.name ?? 'the passkey'}?`} onClose={onClose}>
      <Stack>
        <Text size="sm">It does not sign in any more. Delete it on the device as well.</Text>
        {remove.error && <Problem error={remove.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined, { onSuccess: onClose })}
          >
            Remove passkey
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
