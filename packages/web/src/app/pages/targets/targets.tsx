import { Button, Code, Group } from '@mantine/core';
import type { ManagedTarget } from '@sortie/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { useAllPages } from '../../api/queries.ts';
import type { Column } from '../../list/columns.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { Copy } from '../../look/copy.tsx';
import { formatTime } from '../../look/format.ts';
import { Page } from '../../look/page.tsx';
import { useAccount, useAccountId } from '../../shell/use-account.ts';
import { AddTarget } from './add-target.tsx';
import { VerifyTarget } from './verify-target.tsx';

const columnsOf = (open: (verificationId: string) => void): readonly Column<ManagedTarget>[] => [
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
    isWide: true,
  },
  {
    id: 'state',
    title: 'Ownership',
    value: (target) => (target.verified ? `Verified (${target.method})` : `Not verified (${target.method})`),
  },
  { id: 'apiRuns', title: 'API runs', value: (target) => (target.apiRuns ? 'On' : 'Off'), isWide: true },
  {
    id: 'expires',
    title: 'Expires',
    value: (target) => target.expiresAt,
    cell: (target) => formatTime(target.expiresAt),
    isWide: true,
  },
  {
    id: 'open',
    title: 'Verification',
    value: (target) => target.lastCheck?.message ?? null,
    cell: ({ verificationId, verified, origin }) => (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${verified ? 'Settings' : 'Verify'} ${origin}`}
        onClick={() => open(verificationId)}
      >
        {verified ? 'Settings' : 'Verify'}
      </Button>
    ),
  },
];

/** A worker answers a check within seconds. */
const isChecking = ({ lastCheck }: ManagedTarget) => lastCheck !== null && lastCheck.state !== 'DONE';

export function TargetsPage(): ReactNode {
  const accountId = useAccountId();
  const role = useAccount()?.role;
  const [opened, open] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const targets = useAllPages('listManagedTargets', { accountId }, (answer) => answer.targets, {
    refetchInterval: (rows) => (rows?.some(isChecking) ? 2_000 : false),
  });
  const columns = useMemo(() => columnsOf(open), []);
  const shown = targets.data?.find(({ verificationId }) => verificationId === opened);
  const mayAdd = role === 'OWNER' || role === 'ADMIN';
  return (
    <Page title="Targets" actions={mayAdd && <Button onClick={() => setAdding(true)}>Add target</Button>}>
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
      {isAdding && (
        <AddTarget
          onClose={() => setAdding(false)}
          onAdded={(verificationId) => {
            setAdding(false);
            open(verificationId);
          }}
        />
      )}
      {shown && <VerifyTarget target={shown} onClose={() => open(undefined)} />}
    </Page>
  );
}
