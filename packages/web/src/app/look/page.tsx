import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface PageProps {
  title: string;
  /** Beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen with its heading, which is the title of the window, too. */
export function Page({ title, actions, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Sortie`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="center" gap="sm">
        <Title order={1} size="h2">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
