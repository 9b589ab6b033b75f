import { Button, Group, Stack } from '@mantine/core';
import type { ManagedMember } from '@sortie/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { useRows } from '../../../api/queries.ts';
import type { Column } from '../../../list/columns.ts';
import { List } from '../../../list/list.tsx';
import { useAccount, useAccountId, useMe } from '../../../shell/use-account.ts';
import { AccountName } from './account-name.tsx';
import { ChangeMember } from './change-member.tsx';
import { memberColumns } from './columns.tsx';
import { Invitations } from './invitations.tsx';
import { type MemberRules, mayInvite, rulesFor } from './member-rules.ts';
import { RemoveMember } from './remove-member.tsx';

interface Dialog {
  kind: 'change' | 'remove';
  member: ManagedMember;
}

export function MembersTab(): ReactNode {
  const accountId = useAccountId();
  const account = useAccount();
  const ownId = useMe().user.id;
  const rows = useRows('listMembers', { accountId }, ({ members }) => members);
  const [dialog, open] = useState<Dialog>();
  const { data: members } = rows;
  const columns = useMemo(() => {
    if (!account || !members) return memberColumns;
    return [...memberColumns, changesColumn(open, ownId, (member) => rulesFor(account, member, { members, ownId }))];
  }, [account, members, ownId]);
  const close = () => open(undefined);
  return (
    <Stack gap="xl">
      <List noun="member" columns={columns} rows={rows} idOf={({ userId }) => userId} empty={null} />
      {account && mayInvite(account) && <Invitations />}
      {account && <AccountName account={account} />}
      {dialog?.kind === 'change' && account && members && (
        <ChangeMember
          member={dialog.member}
          rules={rulesFor(account, dialog.member, { members, ownId })}
          onClose={close}
        />
      )}
      {dialog?.kind === 'remove' && (
        <RemoveMember member={dialog.member} isSelf={dialog.member.userId === ownId} onClose={close} />
      )}
    </Stack>
  );
}

const changesColumn = (
  open: (dialog: Dialog) => void,
  ownId: string,
  rulesOf: (member: ManagedMember) => MemberRules,
): Column<ManagedMember> => ({
  id: 'change',
  title: 'Change',
  value: () => null,
  cell(member) {
    const { roles, mayRemove, maySetAllowance } = rulesOf(member);
    const isSelf = member.userId === ownId;
    return (
      <Group gap={4} component="span" display="inline-flex" wrap="nowrap">
        {(roles.length > 0 || maySetAllowance) && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Change ${member.name}, ${member.email}`}
            onClick={() => open({ kind: 'change', member })}
          >
            Change
          </Button>
        )}
        {mayRemove && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={isSelf ? 'Leave the account' : `Remove ${member.name}, ${member.email}`}
            onClick={() => open({ kind: 'remove', member })}
          >
            {isSelf ? 'Leave' : 'Remove'}
          </Button>
        )}
      </Group>
    );
  },
});
