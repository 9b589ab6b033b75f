import { AppShell, Box, Burger, Group, NavLink } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../look/icons.tsx';
import { Mark } from '../look/mark.tsx';
import { AccountSwitcher } from './account-switcher.tsx';
import { CreditsPill } from './credits-pill.tsx';
import { EnvironmentBadge } from './environment-badge.tsx';
import { GoTo } from './go-to.tsx';
import { KeyHelp } from './key-help.tsx';
import { usePageKeys } from './keys.ts';
import { Palette } from './palette.tsx';
import { screens } from './screens.ts';
import { useAccount, useScreenPath } from './use-account.ts';
import { UserMenu } from './user-menu.tsx';

/** The frame of every screen after the sign-in. */
export function Shell(): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [isHelpOpen, help] = useDisclosure();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const screenPath = useScreenPath();
  usePageKeys({
    ...Object.fromEntries(screens.map(({ key, path }) => [`g ${key}`, () => navigate({ href: screenPath(path) })])),
    '?': help.toggle,
    '/': () => document.querySelector<HTMLElement>('[data-list-filter]')?.focus(),
  });
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 210, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
          <Box visibleFrom="sm" lh={0}>
            <Mark />
          </Box>
          <AccountSwitcher />
          <EnvironmentBadge />
          <Group gap="xs" ml="auto" wrap="nowrap">
            <GoTo />
            <CreditsPill />
            <UserMenu onHelp={help.open} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Screens">
        <Navigation pathname={pathname} onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Box maw={1200} mx="auto">
          <Outlet />
        </Box>
      </AppShell.Main>
      <Palette />
      <KeyHelp opened={isHelpOpen} onClose={help.close} />
    </AppShell>
  );
}

function Navigation({ pathname, onNavigate }: { pathname: string; onNavigate(): void }): ReactNode {
  const navigate = useNavigate();
  const screenPath = useScreenPath();
  const account = useAccount();
  if (!account) return null;
  return screens.map(({ label, path, icon }) => {
    const address = screenPath(path);
    const isActive = path === '' ? pathname.replace(/\/$/, '') === address : pathname.startsWith(address);
    return (
      <NavLink
        key={path}
        href={address}
        label={label}
        leftSection={<Icon name={icon} />}
        active={isActive}
        {...(isActive && { 'aria-current': 'page' as const })}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          onNavigate();
          navigate({ href: address });
        }}
      />
    );
  });
}
