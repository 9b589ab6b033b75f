import type { ReactNode } from 'react';
import { useRows } from '../../../api/queries.ts';
import { List } from '../../../list/list.tsx';
import { useAccountId } from '../../../shell/use-account.ts';
import { memberColumns } from './columns.tsx';

export function MembersTab(): ReactNode {
  const accountId = useAccountId();
  const rows = useRows('listMembers', { accountId }, ({ members }) => members);
  return <List noun="member" columns={memberColumns} rows={rows} idOf={({ userId }) => userId} empty={null} />;
}
