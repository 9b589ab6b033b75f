import { Alert, Anchor, Button, Code, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, cureOf } from '../../api/errors.ts';
import { serviceQuery } from '../../api/queries.ts';
import { Frame } from './frame.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { textsOf } from './texts-of.ts';
import { useEntrance } from './use-entrance.ts';

export function SignInPage(): ReactNode {
  const entrance = useEntrance('sign-in/email');
  const { data: service } = useQuery(serviceQuery);
  const search = useSearch({ from: '/sign-in' });
  return (
    <Frame title="Sign in to Sortie">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          entrance.mutate(textsOf(event.currentTarget));
        }}
      >
        <Stack>
          {entrance.error && (
            <Alert color="red" variant="outline" role="alert" title={explain(entrance.error)}>
              {whatHelps(entrance.error)}
            </Alert>
          )}
          <TextInput name="email" type="email" label="E-mail" autoComplete="username" required autoFocus />
          <PasswordInput name="password" label="Password" autoComplete="current-password" required />
          <Button type="submit" loading={entrance.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
      <PasskeyButton />
      {service?.signUp === 'open' ? (
        <Text size="sm">
          No account yet?{' '}
          <Anchor component={Link} to="/sign-up" search={search as never} inherit>
            Sign up
          </Anchor>
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          New here? Ask the operator of this service for a link.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Password forgotten? The operator creates a link to set a new one: <Code>sortie admin user link</Code>
      </Text>
    </Frame>
  );
}

const isWrong = (error: unknown) => error instanceof ApiError && error.status === 401;

const explain = (error: Error) => (isWrong(error) ? 'The e-mail address or the password is wrong.' : error.message);

const whatHelps = (error: Error) => (isWrong(error) ? 'Check both and try again.' : cureOf(error));
