import { Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Entry {
  id: string;
  title: ReactNode;
  details: string;
  action?: ReactNode;
}

/** A short list, with what can be done with each entry. */
export function Entries({ entries, label }: { entries: readonly Entry[]; label: string }): ReactNode {
  return (
    <Stack component="ul" aria-label={label} gap="xs" m={0} p={0}>
      {entries.map(({ id, title, details, action }) => (
        <Paper component="li" key={id} withBorder p="sm" style={{ listStyle: 'none' }}>
          <Group justify="space-between" wrap="nowrap">
            <Stack gap={2}>
              <Text component="div" size="sm" fw={600}>
                {title}
              </Text>
              <Text size="xs" c="dimmed">
                {details}
              </Text>
            </Stack>
            {action}
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
