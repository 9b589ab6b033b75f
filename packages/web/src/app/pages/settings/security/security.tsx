import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ChangePassword } from './change-password.tsx';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { SignOn } from './sign-on.tsx';

/** How the person signs in, in every account alike. */
export function SecurityTab(): ReactNode {
  return (
    <Stack gap="xl" maw={720}>
      <ChangePassword />
      <SecondFactor />
      <Passkeys />
      <SignOn />
      <Sessions />
    </Stack>
  );
}
