import { Anchor, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export function NotFoundPage(): ReactNode {
  return (
    <Stack component="main" align="center" py={80} px="md" gap="sm">
      <Title order={1} size="h2">
        There is no such page
      </Title>
      <Text>
        Check the address. What it showed may have been removed, or may belong to an account that is not yours.
      </Text>
      <Anchor href="/">Go to the start page</Anchor>
    </Stack>
  );
}
