import { Anchor, Text, TextInput } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { EntryForm } from './form.tsx';
import { useEntrance } from './use-entrance.ts';

/** The second step of a sign-in: a code of the app, or a backup code. */
export function CodePage(): ReactNode {
  const [isBackup, setIsBackup] = useState(false);
  const entrance = useEntrance(isBackup ? 'two-factor/verify-backup-code' : 'two-factor/verify-totp');
  const search = useSearch({ from: '/sign-in/code' });
  return (
    <EntryForm
      title={isBackup ? 'Enter a backup code' : 'Enter the code of your app'}
      action="Sign in"
      error={entrance.error}
      isPending={entrance.isPending}
      onSubmit={({ code = '' }) => entrance.mutate({ code: code.replaceAll(' ', '') })}
      below={
        <Text size="sm">
          <Anchor
            component="button"
            type="button"
            inherit
            onClick={() => {
              entrance.reset();
              setIsBackup(!isBackup);
            }}
          >
            {isBackup ? 'Use the app' : 'Use a backup code'}
          </Anchor>{' '}
          or{' '}
          <Anchor component={Link} to="/sign-in" search={search as never} inherit>
            sign in again
          </Anchor>
        </Text>
      }
    >
      <TextInput
        key={String(isBackup)}
        name="code"
        label={isBackup ? 'Backup code' : 'Code'}
        description={isBackup ? 'Each backup code works once' : 'Six digits, which change every 30 seconds'}
        autoComplete="one-time-code"
        inputMode={isBackup ? 'text' : 'numeric'}
        required
        autoFocus
      />
    </EntryForm>
  );
}
