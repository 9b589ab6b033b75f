import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Mark } from '../../look/mark.tsx';

/** A form in the middle of an otherwise empty page. */
export function Frame({ title, children }: { title: string; children: ReactNode }): ReactNode {
  useEffect(() => {
    document.title = `${title} · Sortie`;
  }, [title]);
  return (
    <Box component="main" px="md" py={{ base: 24, sm: 80 }}>
      <Group justify="center" gap="xs" mb="md">
        <Mark />
        <Text fw={700} size="lg">
          Sortie
        </Text>
      </Group>
      <Paper withBorder p="xl" maw={420} mx="auto">
        <Stack>
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Box>
  );
}
