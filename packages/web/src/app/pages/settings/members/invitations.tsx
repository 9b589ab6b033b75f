import { Button, Group, Skeleton, Text } from '@mantine/core';
import type { ManagedInvitation } from '@sortie/contract';
import { type ReactNode, useState } from 'react';
import { useChange, useRows } from '../../../api/queries.ts';
import { Confirm } from '../../../look/confirm.tsx';
import { formatTime } from '../../../look/format.ts';
import { Problem } from '../../../look/problem.tsx';
import { Section } from '../../../look/section.tsx';
import { useAccountId } from '../../../shell/use-account.ts';
import { Entries } from '../security/entries.tsx';
import { InviteMember } from './invite-member.tsx';
import { roleWord } from './role-words.ts';

/** Open invitations of an organization, for the people who may invite. */
export function Invitations(): ReactNode {
  const accountId = useAccountId();
  const { data, error, isPending, refetch } = useRows('listInvitations', { accountId }, (answer) => answer.invitations);
  const [isInviting, setInviting] = useState(false);
  const [revoked, revoke] = useState<ManagedInvitation>();
  return (
    <Section title="Invitations">
      {error && <Problem error={error} onRetry={() => refetch()} />}
      {isPending && <Skeleton height={36} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No open invitations. Invite people by their e-mail address.
        </Text>
      )}
      {data && data.length > 0 && <Entries label="Invitations" entries={data.map((each) => toEntry(each, revoke))} />}
      <Group>
        <Button variant="default" onClick={() => setInviting(true)}>
          Invite a person
        </Button>
      </Group>
      {isInviting && <InviteMember onClose={() => setInviting(false)} />}
      {revoked && <RevokeInvitation invitation={revoked} onClose={() => revoke(undefined)} />}
    </Section>
  );
}

const toEntry = (invitation: ManagedInvitation, onRevoke: (invitation: ManagedInvitation) => void) => {
  const { id, email, role, invitedBy, expiresAt, isExpired } = invitation;
  return {
    id,
    title: `${email}, ${roleWord(role)}`,
    details: `Invited by ${invitedBy.name}, ${isExpired ? 'expired: invite again' : `valid until ${formatTime(expiresAt)}`}`,
    action: (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Revoke the invitation of ${email}`}
        onClick={() => onRevoke(invitation)}
      >
        Revoke
      </Button>
    ),
  };
};

interface RevokeProps {
  invitation: ManagedInvitation;
  onClose(): void;
}

function RevokeInvitation({ invitation: { id, email }, onClose }: RevokeProps): ReactNode {
  const accountId = useAccountId();
  const { mutate, isPending, error } = useChange('revokeInvitation');
  return (
    <Confirm
      title={`Revoke the invitation of ${email}?`}
      action="Revoke invitation"
      isPending={isPending}
      error={error}
      onConfirm={() => mutate({ params: { accountId, invitationId: id } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      The link stops working at once.
    </Confirm>
  );
}
