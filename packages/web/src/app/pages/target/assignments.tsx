import { Stack, Switch, Text } from '@mantine/core';
import type { ManagedTarget } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useChange, useRows } from '../../api/queries.ts';
import { Problem } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { useAccountId } from '../../shell/use-account.ts';

/** Which members may use the target. Owners and admins may use every target. */
export function Assignments({ target, mayManage }: { target: ManagedTarget; mayManage: boolean }): ReactNode {
  const accountId = useAccountId();
  const { verificationId, assignedTo } = target;
  const { data: members, error, refetch } = useRows('listMembers', { accountId }, (answer) => answer.members);
  const assign = useChange('assignTarget');
  const unassign = useChange('unassignTarget');
  const others = members?.filter(({ role }) => role === 'MEMBER' || role === 'VIEWER');
  const refusal = assign.error ?? unassign.error;
  return (
    <Section title="Members">
      <Text size="sm" maw={700}>
        Owners and admins may use every target. Members and viewers see this target, its runs and the scans of its host
        only if it is assigned to them.
      </Text>
      {error && <Problem error={error} onRetry={refetch} />}
      {refusal && <Problem error={refusal} />}
      {others?.length === 0 && <Text size="sm">There are no other members.</Text>}
      <Stack gap="xs">
        {others?.map(({ userId, name, email, role }) => (
          <Switch
            key={userId}
            label={`${name} (${email})`}
            description={role === 'VIEWER' ? 'Viewer: reads only' : 'Member'}
            checked={assignedTo.includes(userId)}
            disabled={!mayManage || assign.isPending || unassign.isPending}
            onChange={(event) => {
              const change = event.currentTarget.checked ? assign : unassign;
              change.mutate({ params: { accountId, verificationId }, body: { userId } });
            }}
          />
        ))}
      </Stack>
    </Section>
  );
}
