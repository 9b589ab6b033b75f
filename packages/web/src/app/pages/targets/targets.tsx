import { Button, Code, Group } from '@mantine/core';
import type { ManagedMember, ManagedTarget } from '@sortie/contract';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useAllPages, useRows } from '../../api/queries.ts';
import type { Column, Filter } from '../../list/columns.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { Copy } from '../../look/copy.tsx';
import { formatDay } from '../../look/format.ts';
import { Page } from '../../look/page.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useAccount, useAccountId, useScreenPath } from '../../shell/use-account.ts';
import { AddTarget } from './add-target.tsx';

const columns: readonly Column<ManagedTarget>[] = [
  { id: 'origin', title: 'Target', value: (target) => target.origin },
  {
    id: 'verification',
    title: 'Verification id',
    value: (target) => target.verificationId,
    cell: ({ verificationId }) => (
      <Group gap="xs" wrap="nowrap">
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
    cell: ({ expiresAt }) => (expiresAt === null ? '–' : formatDay(expiresAt)),
    isShort: true,
    isWide: true,
  },
  {
    id: 'run',
    title: 'Latest run',
    value: ({ lastRun }) => lastRun?.createdAt ?? null,
    cell: ({ lastRun }) => lastRun && <ScreenLink to={`runs/${lastRun.id}`}>{formatDay(lastRun.createdAt)}</ScreenLink>,
    isShort: true,
    isWide: true,
  },
];

const filters: readonly Filter<ManagedTarget>[] = [
  {
    id: 'ownership',
    label: 'Ownership',
    choices: [
      { value: 'verified', label: 'Verified' },
      { value: 'missing', label: 'Not verified' },
    ],
    matches: ({ verified }, value) => verified === (value === 'verified'),
  },
  {
    id: 'apiRuns',
    label: 'API runs',
    choices: [
      { value: 'on', label: 'On' },
      { value: 'off', label: 'Off' },
    ],
    matches: ({ apiRuns }, value) => apiRuns === (value === 'on'),
  },
];

/** A worker answers a check within seconds. */
const isChecking = ({ lastCheck }: ManagedTarget) => lastCheck !== null && lastCheck.state !== 'DONE';

/** Those that are assigned, besides owners and admins, who may use every target. */
const assignedTo = (members: readonly ManagedMember[]): Filter<ManagedTarget> => ({
  id: 'member',
  label: 'Assigned to',
  choices: members
    .filter(({ role }) => role === 'MEMBER' || role === 'VIEWER')
    .map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` })),
  matches: (target, value) => target.assignedTo.includes(value),
});

export function TargetsPage(): ReactNode {
  const accountId = useAccountId();
  const role = useAccount()?.role;
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);
  const targets = useAllPages('listManagedTargets', { accountId }, (answer) => answer.targets, {
    refetchInterval: (rows) => (rows?.some(isChecking) ? 2_000 : false),
  });
  const { data: members } = useRows('listMembers', { accountId }, (answer) => answer.members);
  const allFilters = useMemo(() => [...filters, assignedTo(members ?? [])], [members]);
  const pathOf = (verificationId: string) => screenPath(`targets/${verificationId}`);
  const mayAdd = role === 'OWNER' || role === 'ADMIN';
  return (
    <Page title="Targets" actions={mayAdd && <Button onClick={() => setAdding(true)}>Add target</Button>}>
      <List
        noun="target"
        columns={columns}
        filters={allFilters}
        rows={targets}
        idOf={(target) => target.verificationId}
        pathOf={(target) => pathOf(target.verificationId)}
        empty={
          <NothingYet icon="target" title="No targets yet">
            A pentest needs a target whose ownership is verified. Passive scans need none.
          </NothingYet>
        }
      />
      {isAdding && (
        <AddTarget
          onClose={() => setAdding(false)}
          onAdded={(verificationId) => navigate({ href: pathOf(verificationId) })}
        />
      )}
    </Page>
  );
}
