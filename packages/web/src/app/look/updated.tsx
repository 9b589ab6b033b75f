import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsLive } from '../api/live.ts';
import { formatClock } from './format.ts';

/** When the page last read what it shows, and whether it is told of changes. */
export function Updated({ at }: { at: number }): ReactNode {
  const isLive = useIsLive();
  if (at === 0) return null;
  return (
    <Text
      size="xs"
      c="dimmed"
      className="updated"
      data-live={isLive}
      title={isLive ? 'Changes appear by themselves.' : 'The page reads again every few seconds while something works.'}
    >
      {isLive ? 'Live' : 'Not live'}, read at {formatClock(at)}
    </Text>
  );
}
