import { NativeSelect } from '@mantine/core';
import type { AccountFinding } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useCall, useChange } from '../../api/queries.ts';
import { Problem } from '../../look/problem.tsx';
import { useAccountId, useMay } from '../../shell/use-account.ts';

interface AssigneeProps {
  finding: AccountFinding;
  findingId: string;
}

/** Who takes care of the finding; a choice for those who may change it. */
export function Assignee({ finding: { assignee }, findingId }: AssigneeProps): ReactNode {
  const accountId = useAccountId();
  const mayAssign = useMay('pentests:write');
  const { data } = useCall('listMembers', { accountId }, { enabled: mayAssign });
  const assign = useChange('setFindingAssignee');
  if (!mayAssign) return assignee?.name ?? 'Not assigned';
  const members = data?.members ?? [];
  const isFormer = assignee !== null && !members.some(({ userId }) => userId === assignee.userId);
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Assignee"
        disabled={assign.isPending}
        value={assignee?.userId ?? ''}
        data={[
          { value: '', label: 'Not assigned' },
          ...(isFormer ? [{ value: assignee.userId, label: assignee.name }] : []),
          ...members.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` })),
        ]}
        onChange={(event) => {
          const userId = event.currentTarget.value || null;
          assign.mutate({ params: { accountId, findingId }, body: { userId } });
        }}
      />
      {assign.error && <Problem error={assign.error} />}
    </>
  );
}
