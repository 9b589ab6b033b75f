import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { serviceQuery } from '../../api/queries.ts';
import { Problem } from '../../look/problem.tsx';
import { MIN_PASSWORD_LENGTH } from '../sign-in/password-length.ts';
import { textsOf } from '../sign-in/texts-of.ts';
import { useJoin } from './use-join.ts';

/** Signs up with the address that was invited, or leads to the sign-in and back. */
export function JoinNew({ token, email }: { token: string; email: string }): ReactNode {
  const { data: service } = useQuery(serviceQuery);
  return (
    <Stack>
      {service?.signUp === 'closed' ? (
        <Text size="sm">
          Sign in with {email} to join. No password yet? Ask the operator of this service for a link to set one.
        </Text>
      ) : (
        <SignUpForm token={token} email={email} />
      )}
      <Text size="sm">
        Already registered?{' '}
        <Anchor component={Link} to="/sign-in" search={{ to: '/invitation' } as never} inherit>
          Sign in
        </Anchor>
      </Text>
    </Stack>
  );
}

function SignUpForm({ token, email }: { token: string; email: string }): ReactNode {
  const join = useJoin(token);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const { name = '', password = '' } = textsOf(event.currentTarget);
        join.mutate({ name, email, password });
      }}
    >
      <Stack>
        {join.error && <Problem error={join.error} />}
        <TextInput name="email" type="email" label="E-mail" autoComplete="username" value={email} readOnly />
        <TextInput name="name" label="Name" autoComplete="name" required maxLength={100} autoFocus />
        <PasswordInput
          name="password"
          label="Password"
          description={`At least ${MIN_PASSWORD_LENGTH} characters`}
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          required
        />
        <Button type="submit" loading={join.isPending}>
          Sign up and join
        </Button>
      </Stack>
    </form>
  );
}
