import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';

/** An id, and the button that copies it. */
export function IdText({ id }: { id: string }): ReactNode {
  return (
    <Group gap={4} wrap="nowrap">
      <Text ff="monospace" size="xs">
        {id}
      </Text>
      <Copy value={id} />
    </Group>
  );
}
