import { Alert, Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { cureOf } from '../../api/errors.ts';
import { hasPasskeys, signInByPasskey } from '../../api/passkeys.ts';
import { useEntranceBy } from './use-entrance.ts';

/** Nothing in a browser or at an address without passkeys. */
export function PasskeyButton(): ReactNode {
  const entrance = useEntranceBy(signInByPasskey);
  if (!hasPasskeys()) return null;
  return (
    <Stack>
      {entrance.error && (
        <Alert color="red" variant="outline" role="alert" title={entrance.error.message}>
          {cureOf(entrance.error)}
        </Alert>
      )}
      <Button variant="default" loading={entrance.isPending} onClick={() => entrance.mutate(undefined)}>
        Sign in with a passkey
      </Button>
    </Stack>
  );
}
