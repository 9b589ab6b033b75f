import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, cureOf } from '../../api/errors.ts';
import { serviceQuery } from '../../api/queries.ts';
import { Frame } from './frame.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SignOnButton } from './sign-on-button.tsx';
import { textsOf } from './texts-of.ts';
import { useEntrance } from './use-entrance.ts';

export function SignInPage(): ReactNode {
  const entrance = useEntrance('sign-in/email');
  const { data: service } = useQuery(serviceQuery);
  const search = useSearch({ from: '/sign-in' });
  return (
    <Frame title="Sign in to Sortie">
      {search.to?.startsWith('/device') && <Text size="sm">Sign in to connect a program, such as “sortie login”.</Text>}
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
      <SignOnButton />
      {service?.signUp === 'open' ? (
        <Text size="sm">
          No account yet?{' '}
          <Anchor component={Link} to="/sign-up" search={search as never} inherit>
            Sign up
          </Anchor>
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          {service?.signUp === 'invitation'
            ? 'New here? Open the link of your invitation, or ask the operator of this service for a link.'
            : 'New here? Ask the operator of this service for a link.'}
        </Text>
      )}
      <Text size="sm">
        <Anchor component={Link} to="/forgot-password" inherit>
          Forgot your password?
        </Anchor>
      </Text>
    </Frame>
  );
}

const isWrong = (error: unknown) => error instanceof ApiError && error.status === 401;

const explain = (error: Error) => (isWrong(error) ? 'The e-mail address or the password is wrong.' : error.message);

const whatHelps = (error: Error) => (isWrong(error) ? 'Check both and try again.' : cureOf(error));
