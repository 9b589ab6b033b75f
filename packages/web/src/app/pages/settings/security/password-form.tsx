import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Problem } from '../../../look/problem.tsx';
import { textsOf } from '../../sign-in/texts-of.ts';

interface PasswordFormProps {
  /** What happens. */
  children: ReactNode;
  action: string;
  error: Error | null;
  isPending: boolean;
  onSubmit(password: string): void;
}

/** Asks for the password before the second factor changes. */
export function PasswordForm({ children, action, error, isPending, onSubmit }: PasswordFormProps): ReactNode {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(textsOf(event.currentTarget).password ?? '');
      }}
    >
      <Stack>
        <Text size="sm">{children}</Text>
        <PasswordInput name="password" label="Password" autoComplete="current-password" required data-autofocus />
        {error && <Problem error={error} />}
        <Button type="submit" loading={isPending}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
