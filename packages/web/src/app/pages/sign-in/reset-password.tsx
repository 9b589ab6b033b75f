import { Anchor, PasswordInput, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callAuth } from '../../api/auth.ts';
import { EntryForm } from './form.tsx';
import { Frame } from './frame.tsx';
import { MIN_PASSWORD_LENGTH } from './password-length.ts';
import { tokenOfLink } from './token-of-link.ts';

/** Sets a password with a link that works once. */
export function ResetPasswordPage(): ReactNode {
  const [token] = useState(tokenOfLink);
  const reset = useMutation({
    mutationFn: (newPassword: string) => callAuth('reset-password', { token, newPassword }),
  });
  if (reset.isSuccess) {
    return (
      <Frame title="The password is set">
        <Text>
          All earlier sessions have ended.{' '}
          <Anchor component={Link} to="/sign-in" inherit>
            Sign in
          </Anchor>
        </Text>
      </Frame>
    );
  }
  return (
    <EntryForm
      title="Set your password"
      action="Set password"
      error={reset.error}
      isPending={reset.isPending}
      onSubmit={({ password = '' }) => reset.mutate(password)}
    >
      <PasswordInput
        name="password"
        label="New password"
        description={`At least ${MIN_PASSWORD_LENGTH} characters`}
        autoComplete="new-password"
        minLength={MIN_PASSWORD_LENGTH}
        required
        autoFocus
      />
    </EntryForm>
  );
}
