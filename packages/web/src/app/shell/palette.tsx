import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../look/icons.tsx';
import { screens } from './screens.ts';
import { useMe, useScreenPath } from './use-account.ts';

/** Opened by Ctrl+K or Cmd+K: goes to a screen or to another account. */
export function Palette(): ReactNode {
  const navigate = useNavigate();
  const screenPath = useScreenPath();
  const { accounts } = useMe();
  const actions: SpotlightActionData[] = [
    ...screens.map(({ label, path, icon }) => ({
      id: `screen-${path}`,
      label,
      leftSection: <Icon name={icon} />,
      onClick: () => navigate({ href: screenPath(path) }),
    })),
    ...accounts.map(({ id, name }) => ({
      id,
      label: `Switch to ${name}`,
      onClick: () => navigate({ href: `/accounts/${id}` }),
    })),
  ];
  return (
    <Spotlight
      actions={actions}
      shortcut="mod + K"
      highlightQuery
      nothingFound="Nothing has this name."
      searchProps={{ placeholder: 'Go to…', 'aria-label': 'Go to' }}
    />
  );
}
