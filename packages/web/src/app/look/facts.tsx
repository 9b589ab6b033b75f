import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Names and values of one thing; what is null or undefined is left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }): ReactNode {
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <Box component="dl" m={0} className="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0}>
            {value}
          </Text>
        </div>
      ))}
    </Box>
  );
}
