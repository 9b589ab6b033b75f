import { Anchor, Box, EmptyState, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../look/icons.tsx';
import { Mark } from '../look/mark.tsx';

/** In place of a screen that does not exist. */
export function NotFound(): ReactNode {
  return (
    <EmptyState
      icon={<Icon name="search" size={40} />}
      title={<h1 className="plain">Page not found</h1>}
      description="Check the address. The page may have been removed, or belong to an account of which you are not a member."
      py={80}
    >
      <Group justify="center">
        <Anchor href="/">Go to the start page</Anchor>
      </Group>
    </EmptyState>
  );
}

/** The same without a frame, for people who may not have signed in. */
export function NotFoundPage(): ReactNode {
  return (
    <Box component="main" px="md" pt={40}>
      <Group justify="center">
        <Mark />
      </Group>
      <NotFound />
    </Box>
  );
}
