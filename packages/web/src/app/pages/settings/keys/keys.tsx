import { Button, Group, Stack } from '@mantine/core';
import type { ManagedKey } from '@sortie/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { useRows } from '../../../api/queries.ts';
import type { Column } from '../../../list/columns.ts';
import { NothingYet } from '../../../list/empty.tsx';
import { List } from '../../../list/list.tsx';
import { useAccountId } from '../../../shell/use-account.ts';
import { ApiRuns } from './api-runs.tsx';
import { keyColumns } from './columns.tsx';
import { CreateKey } from './create-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RollKey } from './roll-key.tsx';

type Dialog = { kind: 'create' } | { kind: 'roll' | 'revoke'; apiKey: ManagedKey };

export function KeysTab(): ReactNode {
  const accountId = useAccountId();
  const rows = useRows('listKeys', { accountId }, ({ keys }) => keys);
  const [dialog, open] = useState<Dialog>();
  const columns = useMemo(() => [...keyColumns, changesColumn(open)], []);
  const close = () => open(undefined);
  return (
    <Stack gap="lg">
      <Group justify="flex-end">
        <Button onClick={() => open({ kind: 'create' })}>Create key</Button>
      </Group>
      <List
        noun="key"
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        empty={
          <NothingYet icon="settings" title="No API keys yet">
            Pipelines and the command line call the API with a key.
          </NothingYet>
        }
      />
      <ApiRuns />
      {dialog?.kind === 'create' && <CreateKey onClose={close} />}
      {dialog?.kind === 'roll' && <RollKey apiKey={dialog.apiKey} onClose={close} />}
      {dialog?.kind === 'revoke' && <RevokeKey apiKey={dialog.apiKey} onClose={close} />}
    </Stack>
  );
}

/** Only the creator rolls a key; all who see it may revoke it. */
const changesColumn = (open: (dialog: Dialog) => void): Column<ManagedKey> => ({
  id: 'change',
  title: 'Change',
  value: () => null,
  cell: (apiKey) => (
    <Group gap={4} component="span" display="inline-flex" wrap="nowrap">
      {apiKey.isOwn && apiKey.state === 'ACTIVE' && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Roll ${apiKey.name}, ${apiKey.lastFour}`}
          onClick={() => open({ kind: 'roll', apiKey })}
        >
          Roll
        </Button>
      )}
      {(apiKey.state === 'ACTIVE' || apiKey.state === 'WITHOUT_MEMBER') && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Revoke ${apiKey.name}, ${apiKey.lastFour}`}
          onClick={() => open({ kind: 'revoke', apiKey })}
        >
          Revoke
        </Button>
      )}
    </Group>
  ),
});
