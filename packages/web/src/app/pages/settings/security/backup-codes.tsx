import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from '../../../look/copy.tsx';

/** Shown once: the service does not tell them again. */
export function BackupCodes({ codes, onStored }: { codes: readonly string[]; onStored(): void }): ReactNode {
  return (
    <Stack>
      <Text size="sm">
        Without the app, each of these codes signs you in once. Store them now: they are not shown again.
      </Text>
      <Code block>{codes.join('\n')}</Code>
      <Group justify="space-between">
        <Copy value={codes.join('\n')} label="Copy all" />
        <Button onClick={onStored}>I stored them</Button>
      </Group>
    </Stack>
  );
}
