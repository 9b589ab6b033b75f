import { Group, Skeleton, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Words } from './words.tsx';

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
          <Words text={title} />
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}

/** While the first answer is read: the page has its size already. */
export function LoadingPage({ title }: { title: string }): ReactNode {
  return (
    <Page title={title}>
      <Stack gap="sm" role="status" aria-label="Loading">
        <Skeleton height={20} width="40%" />
        <Skeleton height={70} />
        <Skeleton height={220} />
      </Stack>
    </Page>
  );
}
