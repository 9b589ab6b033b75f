import { Text } from '@mantine/core';
import type { ManagedMember } from '@sortie/contract';
import type { Column } from '../../../list/columns.ts';
import { formatNumber, formatTime } from '../../../look/format.ts';
import { ScreenLink } from '../../../shell/screen-link.tsx';
import { roleWord } from './role-words.ts';

const allowanceOf = ({ allowance, usedThisMonth }: ManagedMember): string =>
  allowance
    ? `${formatNumber(usedThisMonth)} of ${formatNumber(allowance.limit)} used`
    : `${formatNumber(usedThisMonth)} used, no cap`;

export const memberColumns: readonly Column<ManagedMember>[] = [
  {
    id: 'name',
    title: 'Member',
    value: ({ name, email }) => `${name} ${email}`,
    cell: ({ name, email }) => (
      <>
        {name}
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      </>
    ),
  },
  { id: 'role', title: 'Role', value: ({ role }) => roleWord(role) },
  { id: 'allowance', title: 'This month', value: allowanceOf, sortBy: ({ usedThisMonth }) => usedThisMonth },
  {
    id: 'targets',
    title: 'Targets',
    value: ({ role, assignedTargets }) => (role === 'OWNER' || role === 'ADMIN' ? 'All' : assignedTargets),
    cell: ({ role, assignedTargets, userId }) =>
      role === 'OWNER' || role === 'ADMIN' ? (
        <ScreenLink to="targets">All</ScreenLink>
      ) : (
        <ScreenLink to={`targets?member=${userId}`}>{assignedTargets}</ScreenLink>
      ),
  },
  {
    id: 'joined',
    title: 'Member since',
    value: ({ joinedAt }) => joinedAt,
    cell: ({ joinedAt }) => formatTime(joinedAt),
    isShort: true,
    isWide: true,
  },
];
