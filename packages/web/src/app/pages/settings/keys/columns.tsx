import { Badge, Code, Group, Text } from '@mantine/core';
import type { ManagedKey } from '@sortie/contract';
import type { ReactNode } from 'react';
import type { Column } from '../../../list/columns.ts';
import { formatNumber, formatTime, monthOf } from '../../../look/format.ts';
import { ScreenLink } from '../../../shell/screen-link.tsx';

const states: Readonly<Record<ManagedKey['state'], string>> = {
  ACTIVE: 'Active',
  EXPIRED: 'Expired',
  REVOKED: 'Revoked',
  WITHOUT_MEMBER: 'Creator left',
};

const budgetOf = ({ budget, usedThisMonth }: ManagedKey): string =>
  budget
    ? `${formatNumber(usedThisMonth)} of ${formatNumber(budget.limit)} used`
    : `${formatNumber(usedThisMonth)} used, no budget`;

export const keyColumns: readonly Column<ManagedKey>[] = [
  { id: 'name', title: 'Name', value: (key) => key.name },
  {
    id: 'lastFour',
    title: 'Ends in',
    value: (key) => key.lastFour,
    cell: ({ lastFour }) => <Code>…{lastFour}</Code>,
  },
  { id: 'state', title: 'State', value: (key) => states[key.state] },
  {
    id: 'permissions',
    title: 'Permissions',
    value: (key) => key.permissions.join(' '),
    cell: (key) => <Permissions {...key} />,
  },
  {
    id: 'budget',
    title: 'This month',
    value: budgetOf,
    sortBy: (key) => key.usedThisMonth,
    cell: (key) => <ScreenLink to={`credits?key=${key.id}&month=${monthOf(Date.now())}`}>{budgetOf(key)}</ScreenLink>,
  },
  {
    id: 'expires',
    title: 'Expires',
    value: (key) => key.expiresAt,
    cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : formatTime(expiresAt)),
  },
  {
    id: 'lastUsed',
    title: 'Last used',
    value: (key) => key.lastUsedAt,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : formatTime(lastUsedAt)),
  },
  { id: 'createdBy', title: 'Created by', value: (key) => key.createdBy.name },
];

/** Permissions that the creator's role no longer has are crossed out. */
function Permissions({ permissions, effectivePermissions }: ManagedKey): ReactNode {
  return (
    <Group gap={4} component="span" display="inline-flex">
      {permissions.map((permission) => (
        <Badge key={permission} component="span" variant="default" size="sm" tt="none" fw={500}>
          {effectivePermissions.includes(permission) ? (
            permission
          ) : (
            <Text span inherit td="line-through" title="The role of the creator does not permit it.">
              {permission}
            </Text>
          )}
        </Badge>
      ))}
    </Group>
  );
}
