import { Badge, Button, Group, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Problem } from '../../../look/problem.tsx';
import { Section } from '../../../look/section.tsx';
import { ReplaceBackupCodes } from './replace-backup-codes.tsx';
import { SetUpCodes } from './set-up-codes.tsx';
import { TurnOffCodes } from './turn-off-codes.tsx';
import { useAuth } from './use-auth.ts';

interface SignedIn {
  user: { twoFactorEnabled?: boolean | null };
}

export function SecondFactor(): ReactNode {
  const session = useAuth<SignedIn | null>('get-session');
  return (
    <Section title="Second factor">
      <Text size="sm">
        With a second factor, a sign-in by password needs a code of an authenticator app as well. Passkeys need no code.
      </Text>
      {session.error && <Problem error={session.error} onRetry={() => session.refetch()} />}
      {session.isPending && <Skeleton height={36} />}
      {session.data && <Actions isOn={session.data.user.twoFactorEnabled === true} />}
    </Section>
  );
}

function Actions({ isOn }: { isOn: boolean }): ReactNode {
  const [dialog, show] = useState<'set-up' | 'replace' | 'turn-off'>();
  const close = () => show(undefined);
  return (
    <>
      <Group>
        <Badge variant="outline" color={isOn ? 'green' : 'gray'} c="bright" role="status">
          {isOn ? 'On' : 'Off'}
        </Badge>
        {isOn ? (
          <>
            <Button variant="default" onClick={() => show('replace')}>
              New backup codes
            </Button>
            <Button variant="default" onClick={() => show('turn-off')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={() => show('set-up')}>
            Set up
          </Button>
        )}
      </Group>
      {dialog === 'set-up' && <SetUpCodes onClose={close} />}
      {dialog === 'replace' && <ReplaceBackupCodes onClose={close} />}
      {dialog === 'turn-off' && <TurnOffCodes onClose={close} />}
    </>
  );
}
