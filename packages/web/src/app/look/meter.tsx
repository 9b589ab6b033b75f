import { Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface MeterProps {
  name: string;
  used: number;
  allowed: number;
  /** What the bar shows, in words. */
  words: string;
  /** Progress rather than use: a full bar is no warning. */
  isProgress?: boolean;
}

/** A bar with its words: how much of something is used. */
export function Meter({ name, used, allowed, words, isProgress = false }: MeterProps): ReactNode {
  const percent = allowed === 0 ? 0 : Math.min(100, (used / allowed) * 100);
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {name}
        </Text>
        <Text size="sm">{words}</Text>
      </Group>
      <Progress
        value={percent}
        aria-label={`${name}: ${words}`}
        color={percent >= 90 && !isProgress ? 'orange' : 'indigo'}
      />
    </Stack>
  );
}
