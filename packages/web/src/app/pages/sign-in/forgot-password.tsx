import { Anchor, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../api/call.ts';
import { serviceQuery } from '../../api/queries.ts';
import { EntryForm } from './form.tsx';
import { Frame } from './frame.tsx';

/** Asks for a link to set a new password. What it says is the same for every address. */
export function ForgotPasswordPage(): ReactNode {
  const request = useMutation({
    mutationFn: (email: string) => call('requestPasswordReset', { params: {}, body: { email } }),
  });
  const { data: service } = useQuery(serviceQuery);
  const toSignIn = (
    <Text size="sm">
      <Anchor component={Link} to="/sign-in" inherit>
        Sign in
      </Anchor>
    </Text>
  );
  if (request.isSuccess) {
    return (
      <Frame title={service?.sendsMail ? 'Look into your mails' : 'Ask the operator for the link'}>
        <Text>
          If there is a user with the address {request.variables},{' '}
          {service?.sendsMail
            ? 'a mail with a link to set a new password is on its way. The link works once, for an hour.'
            : 'there is now a link to set a new password. This service sends no mails: its operator reads the link with'}
          {!service?.sendsMail && (
            <>
              {' '}
              <code>sortie admin mail list</code> and gives it to you.
            </>
          )}
        </Text>
        {toSignIn}
      </Frame>
    );
  }
  return (
    <EntryForm
      title="Forgot your password?"
      action="Request link"
      error={request.error}
      isPending={request.isPending}
      onSubmit={({ email = '' }) => request.mutate(email)}
      below={toSignIn}
    >
      <TextInput name="email" type="email" label="E-mail" autoComplete="username" required autoFocus />
    </EntryForm>
  );
}
