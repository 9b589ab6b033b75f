import { Button, Checkbox, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { callAuth } from '../../../api/auth.ts';
import { Problem } from '../../../look/problem.tsx';
import { Section } from '../../../look/section.tsx';
import { MIN_PASSWORD_LENGTH } from '../../sign-in/password-length.ts';
import { textsOf } from '../../sign-in/texts-of.ts';
import { useAuthChange } from './use-auth.ts';

export function ChangePassword(): ReactNode {
  const [isChanged, setChanged] = useState(false);
  const change = useAuthChange(({ revokeOtherSessions, ...passwords }: Record<string, string>) =>
    callAuth('change-password', { ...passwords, revokeOtherSessions: revokeOtherSessions !== undefined }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setChanged(false);
    const onSuccess = () => {
      form.reset();
      change.reset();
      setChanged(true);
    };
    change.mutate(textsOf(form), { onSuccess });
  };
  return (
    <Section title="Password">
      <form onSubmit={submit}>
        <Stack maw={420}>
          <PasswordInput name="currentPassword" label="Current password" autoComplete="current-password" required />
          <PasswordInput
            name="newPassword"
            label="New password"
            description={`At least ${MIN_PASSWORD_LENGTH} characters`}
            autoComplete="new-password"
            minLength={MIN_PASSWORD_LENGTH}
            required
          />
          <Checkbox name="revokeOtherSessions" label="End all other sessions" defaultChecked />
          {change.error && <Problem error={change.error} />}
          {isChanged && (
            <Text size="sm" role="status">
              The password is changed.
            </Text>
          )}
          <Button type="submit" variant="default" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
            Change password
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
