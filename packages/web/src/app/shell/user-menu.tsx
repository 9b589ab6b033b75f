import { ActionIcon, Menu, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callAuth } from '../api/auth.ts';
import { queryClient } from '../api/queries.ts';
import { Icon } from '../look/icons.tsx';
import { useMe } from './use-account.ts';

export function UserMenu({ onHelp }: { onHelp(): void }): ReactNode {
  const { user } = useMe();
  const navigate = useNavigate();
  const signOut = async () => {
    await callAuth('sign-out', {});
    queryClient.clear();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="bottom-end" width={260} closeOnItemClick>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" radius="xl" aria-label="You, theme and help">
          {user.name.charAt(0).toUpperCase()}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="bright">
            {user.name}
          </Text>
          {user.email}
        </Menu.Label>
        <ThemeSwitch />
        <Menu.Divider />
        <Menu.Item onClick={() => spotlight.open()} rightSection={<Text size="xs">Ctrl K</Text>}>
          Go to…
        </Menu.Item>
        <Menu.Item onClick={onHelp} rightSection={<Text size="xs">?</Text>}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank">
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="out" />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ThemeSwitch(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      mx="xs"
      mb="xs"
      w="auto"
      aria-label="Theme"
      value={colorScheme}
      onChange={(value) => setColorScheme(value as typeof colorScheme)}
      data={[
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
        { value: 'auto', label: 'System' },
      ]}
    />
  );
}
