import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { addPasskey } from '../../../api/passkeys.ts';
import { Dialog } from '../../../look/dialog.tsx';
import { Problem } from '../../../look/problem.tsx';
import { textsOf } from '../../sign-in/texts-of.ts';

export function AddPasskey({ onClose }: { onClose(): void }): ReactNode {
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: addPasskey,
    // A device that has not verified the person is refused as unauthorized, too, which does not end the session.
    onError: () => undefined,
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(textsOf(event.currentTarget).name ?? '', { onSuccess: onClose });
        }}
      >
        <Stack>
          <TextInput
            name="name"
            label="Name"
            description="To recognize the device by"
            placeholder="Laptop"
            maxLength={100}
            required
            data-autofocus
          />
          {add.error && <Problem error={add.error} />}
          <Button type="submit" loading={add.isPending}>
            Add passkey
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
