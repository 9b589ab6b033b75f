import { Alert, Button, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type CreatedInvitation, type Role, roles } from '@sortie/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api/call.ts';
import { Copy } from '../../../look/copy.tsx';
import { Dialog } from '../../../look/dialog.tsx';
import { formatTime } from '../../../look/format.ts';
import { Problem } from '../../../look/problem.tsx';
import { useAccount, useAccountId } from '../../../shell/use-account.ts';
import { roleWord } from './role-words.ts';

const abilities: Record<Role, string> = {
  OWNER: 'everything, owners included',
  ADMIN: 'everything but owners',
  MEMBER: 'tests assigned targets, within an allowance',
  VIEWER: 'reads',
};

export function InviteMember({ onClose }: { onClose(): void }): ReactNode {
  const [created, setCreated] = useState<CreatedInvitation>();
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      {created ? <InvitationLink created={created} onClose={onClose} /> : <InvitationForm onCreated={setCreated} />}
    </Dialog>
  );
}

function InvitationForm({ onCreated }: { onCreated(created: CreatedInvitation): void }): ReactNode {
  const accountId = useAccountId();
  const ownRole = useAccount()?.role;
  const offered = roles.filter((role) => role !== 'OWNER' || ownRole === 'OWNER');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('MEMBER');
  const client = useQueryClient();
  // What a mutation returns stays in a cache of the page; the link is only in the state of the dialog.
  const { mutate, error, isPending } = useMutation<void>({
    mutationFn: async () => onCreated(await call('createInvitation', { params: { accountId }, body: { email, role } })),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        <TextInput
          type="email"
          label="E-mail"
          description="The person signs in or up with this address; the link is worth nothing to others."
          required
          data-autofocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <NativeSelect
          label="Role"
          data={offered.map((each) => ({ value: each, label: `${roleWord(each)}: ${abilities[each]}` }))}
          value={role}
          onChange={(event) => setRole(offered.find((each) => each === event.currentTarget.value) ?? 'MEMBER')}
        />
        {error && <Problem error={error} />}
        <Button type="submit" loading={isPending}>
          Invite
        </Button>
      </Stack>
    </form>
  );
}

function InvitationLink({ created, onClose }: { created: CreatedInvitation; onClose(): void }): ReactNode {
  const { link, isMailed, record } = created;
  return (
    <Stack>
      <Alert color="indigo" variant="outline" title="The link is shown only now" c="inherit">
        <Text size="sm">
          {isMailed ? `It is sent to ${record.email}, too.` : `Send it to ${record.email}.`} It works once, until{' '}
          {formatTime(record.expiresAt)}.
        </Text>
      </Alert>
      <Code block data-secret style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {link}
      </Code>
      <Group justify="space-between">
        <Copy value={link} label="Copy link" />
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
