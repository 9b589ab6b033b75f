import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { cureOf } from '../../api/errors.ts';
import { serviceQuery } from '../../api/queries.ts';
import { Frame } from './frame.tsx';
import { MIN_PASSWORD_LENGTH } from './password-length.ts';
import { textsOf } from './texts-of.ts';
import { useEntrance } from './use-entrance.ts';

/** What people without a user do, while not all may sign up. */
const howToGetIn = {
  invitation:
    'Open the link of your invitation. No invitation yet? Ask an owner or admin of your organization to invite you under ' +
    'Settings, Members, or the operator of this service for a link.',
  closed: 'Ask the operator of this service for a link, then set your password with it.',
} as const;

export function SignUpPage(): ReactNode {
  const entrance = useEntrance('sign-up/email');
  const { data: service } = useQuery(serviceQuery);
  const search = useSearch({ from: '/sign-up' });
  const toSignIn = (
    <Text size="sm">
      Already registered?{' '}
      <Anchor component={Link} to="/sign-in" search={search as never} inherit>
        Sign in
      </Anchor>
    </Text>
  );
  if (service && service.signUp !== 'open') {
    return (
      <Frame title={service.signUp === 'invitation' ? 'Sign-up is by invitation' : 'Sign-up is closed'}>
        <Text>{howToGetIn[service.signUp]}</Text>
        {toSignIn}
      </Frame>
    );
  }
  return (
    <Frame title="Sign up for Sortie">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          entrance.mutate(textsOf(event.currentTarget));
        }}
      >
        <Stack>
          {entrance.error && (
            <Alert color="red" variant="outline" role="alert" title={entrance.error.message}>
              {cureOf(entrance.error)}
            </Alert>
          )}
          <TextInput name="name" label="Name" autoComplete="name" required maxLength={100} autoFocus />
          <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
          <PasswordInput
            name="password"
            label="Password"
            description={`At least ${MIN_PASSWORD_LENGTH} characters`}
            autoComplete="new-password"
            minLength={MIN_PASSWORD_LENGTH}
            required
          />
          <Button type="submit" loading={entrance.isPending}>
            Sign up
          </Button>
        </Stack>
      </form>
      {toSignIn}
    </Frame>
  );
}
