import { Button, Menu, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Icon } from '../look/icons.tsx';
import { CreateOrganization } from './create-organization.tsx';
import { useAccount, useMe } from './use-account.ts';

export function AccountSwitcher(): ReactNode {
  const { accounts, allows } = useMe();
  const account = useAccount();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            maw={220}
            miw="5.5rem"
            rightSection={<Icon name="choose" />}
            aria-label={`Account: ${account?.name ?? 'none'}. Switch`}
          >
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
          {allows.createOrganization && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => setCreating(true)}>Create an organization…</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isCreating && <CreateOrganization onClose={() => setCreating(false)} />}
    </>
  );
}
