import { Code, Group } from '@mantine/core';
import type { Target } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useAllPages } from '../../api/queries.ts';
import type { Column } from '../../list/columns.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { Copy } from '../../look/copy.tsx';
import { formatTime } from '../../look/format.ts';
import { Page } from '../../look/page.tsx';
import { useAccountId } from '../../shell/use-account.ts';

const columns: readonly Column<Target>[] = [
  { id: 'origin', title: 'Target', value: (target) => target.origin },
  {
    id: 'verification',
    title: 'Verification id',
    value: (target) => target.verificationId,
    cell: ({ verificationId }) => (
      <Group gap="xs">
        <Code>{verificationId}</Code>
        <Copy value={verificationId} />
      </Group>
    ),
  },
  {
    id: 'state',
    title: 'Ownership',
    value: (target) => (target.verified ? `Verified (${target.method})` : `Not verified (${target.method})`),
  },
  { id: 'apiRuns', title: 'API runs', value: (target) => (target.apiRuns ? 'On' : 'Off') },
  {
    id: 'expires',
    title: 'Expires',
    value: (target) => target.expiresAt,
    cell: (target) => formatTime(target.expiresAt),
    isWide: true,
  },
];

export function TargetsPage(): ReactNode {
  const accountId = useAccountId();
  const targets = useAllPages('listTargets', { accountId }, (answer) => answer.targets);
  return (
    <Page title="Targets">
      <List
        noun="target"
        columns={columns}
        rows={targets}
        idOf={(target) => target.verificationId}
        empty={
          <NothingYet icon="target" title="No targets yet">
            A pentest needs a target whose ownership is verified. Passive scans need none.
          </NothingYet>
        }
      />
    </Page>
  );
}
