import { Button, Menu, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccount, useMe } from './use-account.ts';

export function AccountSwitcher(): ReactNode {
  const { accounts } = useMe();
  const account = useAccount();
  const navigate = useNavigate();
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button variant="default" size="xs" maw={220} aria-label={`Account: ${account?.name ?? 'none'}. Switch`}>
          <Text truncate inherit>
            {account?.name ?? 'Choose an account'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Accounts</Menu.Label>
        {accounts.map(({ id, name, kind, role }) => (
          <Menu.Item
            key={id}
            onClick={() => navigate({ href: `/accounts/${id}` })}
            {...(id === account?.id && { fw: 700 })}
          >
            {name}
            <Text size="xs" c="dimmed">
              {kind === 'personal' ? 'Personal account' : `Organization, you are ${role.toLowerCase()}`}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
