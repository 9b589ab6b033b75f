import { Anchor, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export function NotFoundPage(): ReactNode {
  return (
    <Stack component="main" align="center" py={80} px="md" gap="sm">
      <Title order={1} size="h2">
        Page not found
      </Title>
      <Text ta="center">
        Check the address. The page may have been removed, or belong to an account of which you are not a member.
      </Text>
      <Anchor href="/">Go to the start page</Anchor>
    </Stack>
  );
}
