import { Button, Skeleton, Stack, Text } from '@mantine/core';
import type { InvitationForGuest } from '@sortie/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callAuth } from '../../api/auth.ts';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/queries.ts';
import { formatTime } from '../../look/format.ts';
import { Problem } from '../../look/problem.tsx';
import { roleWord } from '../settings/members/role-words.ts';
import { Frame } from '../sign-in/frame.tsx';
import { JoinNew } from './join-new.tsx';
import { takeToken } from './token.ts';
import { useJoin } from './use-join.ts';

/** What the holder of an invitation sees: who invites to what, and how to join. */
export function InvitationPage(): ReactNode {
  const [token] = useState(takeToken);
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('readInvitation', { params: {}, body: { token } }),
    gcTime: 0,
  });
  const session = useQuery({
    queryKey: ['invitation', 'session'],
    queryFn: async () => (await callAuth<{ user: { email: string } } | null>('get-session')) ?? null,
    gcTime: 0,
  });
  if (invitation.isPending || session.isPending) {
    return (
      <Frame title="Your invitation">
        <Skeleton height={80} />
      </Frame>
    );
  }
  const error = invitation.error ?? session.error;
  if (error || !invitation.data) {
    return (
      <Frame title="Your invitation">
        <Problem error={error} />
      </Frame>
    );
  }
  const email = session.data?.user.email;
  return (
    <Frame title={`Join ${invitation.data.account}`}>
      <Details invitation={invitation.data} />
      {email === undefined && <JoinNew token={token} email={invitation.data.email} />}
      {email === invitation.data.email && <JoinNow token={token} account={invitation.data.account} />}
      {email !== undefined && email !== invitation.data.email && (
        <OtherPerson email={email} onSignedOut={() => session.refetch()} />
      )}
    </Frame>
  );
}

function Details({ invitation: { account, invitedBy, email, role, expiresAt } }: { invitation: InvitationForGuest }) {
  return (
    <Text size="sm">
      {invitedBy} invites {email} to {account} as {roleWord(role)}. The invitation is valid until{' '}
      {formatTime(expiresAt)}.
    </Text>
  );
}

function JoinNow({ token, account }: { token: string; account: string }): ReactNode {
  const join = useJoin(token);
  return (
    <Stack>
      {join.error && <Problem error={join.error} />}
      <Button loading={join.isPending} onClick={() => join.mutate(undefined)}>
        Join {account}
      </Button>
    </Stack>
  );
}

function OtherPerson({ email, onSignedOut }: { email: string; onSignedOut(): void }): ReactNode {
  const signOut = async () => {
    await callAuth('sign-out', {});
    queryClient.removeQueries({ queryKey: ['getMe'] });
    onSignedOut();
  };
  return (
    <Stack>
      <Text size="sm">You are signed in as {email}. Sign out, then join with the address that was invited.</Text>
      <Button onClick={signOut}>Sign out</Button>
    </Stack>
  );
}
