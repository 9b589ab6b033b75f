import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Icon } from '../look/icons.tsx';
import { CreateOrganization } from './create-organization.tsx';
import { screens } from './screens.ts';
import { useMe, useScreenPath } from './use-account.ts';

/** Opened by Ctrl+K or Cmd+K: goes to a screen or to another account, or creates one. */
export function Palette(): ReactNode {
  const navigate = useNavigate();
  const screenPath = useScreenPath();
  const { accounts, allows } = useMe();
  const [isCreating, setCreating] = useState(false);
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
    ...(allows.createOrganization
      ? [{ id: 'create-organization', label: 'Create an organization', onClick: () => setCreating(true) }]
      : []),
  ];
  return (
    <>
      <Spotlight
        actions={actions}
        shortcut="mod + K"
        highlightQuery
        attributes={{ content: { 'aria-label': 'Palette' } }}
        nothingFound="Nothing has this name."
        searchProps={{ placeholder: 'Go to…', 'aria-label': 'Go to' }}
      />
      {isCreating && <CreateOrganization onClose={() => setCreating(false)} />}
    </>
  );
}
