import { Button, EmptyState, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../look/icons.tsx';

interface NothingYetProps {
  icon: IconName;
  title: string;
  /** What would be here, and what to do. */
  children: ReactNode;
  action?: { label: string; path: string };
}

/** In place of a list without rows. */
export function NothingYet({ icon, title, children, action }: NothingYetProps): ReactNode {
  const navigate = useNavigate();
  return (
    <EmptyState icon={<Icon name={icon} size={40} />} title={title} description={children} py="xl">
      {action && (
        <Group justify="center">
          <Button onClick={() => navigate({ href: action.path })}>{action.label}</Button>
        </Group>
      )}
    </EmptyState>
  );
}
