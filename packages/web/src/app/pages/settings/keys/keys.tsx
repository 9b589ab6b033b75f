import type { ReactNode } from 'react';
import { useRows } from '../../../api/queries.ts';
import { NothingYet } from '../../../list/empty.tsx';
import { List } from '../../../list/list.tsx';
import { useAccountId } from '../../../shell/use-account.ts';
import { keyColumns } from './columns.tsx';

export function KeysTab(): ReactNode {
  const accountId = useAccountId();
  const rows = useRows('listKeys', { accountId }, ({ keys }) => keys);
  return (
    <List
      noun="key"
      columns={keyColumns}
      rows={rows}
      idOf={({ id }) => id}
      empty={
        <NothingYet icon="settings" title="No API keys yet">
          Pipelines and the command line call the API with a key.
        </NothingYet>
      }
    />
  );
}
