import { Button, Modal, NativeSelect, NumberInput, Stack } from '@mantine/core';
import { type ManagedMember, roles } from '@sortie/contract';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../../api/queries.ts';
import { Problem } from '../../../look/problem.tsx';
import { useAccountId } from '../../../shell/use-account.ts';
import type { MemberRules } from './member-rules.ts';
import { roleWord } from './role-words.ts';

interface ChangeMemberProps {
  member: ManagedMember;
  rules: MemberRules;
  onClose(): void;
}

/** Role and allowance of a member. */
export function ChangeMember({ member, rules, onClose }: ChangeMemberProps): ReactNode {
  return (
    <Modal opened onClose={onClose} title={`Change ${member.name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="lg">
        {rules.roles.length > 0 && <RoleForm member={member} rules={rules} onClose={onClose} />}
        {rules.maySetAllowance && <AllowanceForm member={member} onClose={onClose} />}
      </Stack>
    </Modal>
  );
}

function RoleForm({ member: { userId, role }, rules, onClose }: ChangeMemberProps): ReactNode {
  const accountId = useAccountId();
  const [chosen, setChosen] = useState(role);
  const setRole = useChange('setMemberRole');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setRole.mutate({ params: { accountId, userId }, body: { role: chosen } }, { onSuccess: onClose });
      }}
    >
      <Stack gap="sm">
        <NativeSelect
          label="Role"
          description="Keys of the member lose what the new role does not permit."
          data={rules.roles.map((each) => ({ value: each, label: roleWord(each) }))}
          value={chosen}
          onChange={(event) => setChosen(roles.find((each) => each === event.currentTarget.value) ?? role)}
        />
        {setRole.error && <Problem error={setRole.error} />}
        <Button type="submit" loading={setRole.isPending} disabled={chosen === role}>
          Change role
        </Button>
      </Stack>
    </form>
  );
}

function AllowanceForm({ member: { userId, allowance }, onClose }: Omit<ChangeMemberProps, 'rules'>): ReactNode {
  const accountId = useAccountId();
  const [limit, setLimit] = useState<string | number>(allowance?.limit ?? '');
  const setAllowance = useChange('setMemberAllowance');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const body = { allowance: limit === '' ? null : Number(limit) };
        setAllowance.mutate({ params: { accountId, userId }, body }, { onSuccess: onClose });
      }}
    >
      <Stack gap="sm">
        <NumberInput
          label="Allowance"
          description="Credits per month for the runs that the member starts; empty: no cap."
          min={0}
          allowDecimal={false}
          thousandSeparator=","
          hideControls
          value={limit}
          onChange={setLimit}
        />
        {setAllowance.error && <Problem error={setAllowance.error} />}
        <Button type="submit" loading={setAllowance.isPending}>
          Set allowance
        </Button>
      </Stack>
    </form>
  );
}
