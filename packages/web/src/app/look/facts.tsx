import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface FactsProps {
  facts: Readonly<Record<string, ReactNode>>;
  /** In a box of their own. */
  isFramed?: boolean;
}

/** Names and values of one thing; what is null or undefined is left out. */
export function Facts({ facts, isFramed = false }: FactsProps): ReactNode {
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <Box component="dl" m={0} className="facts" {...(isFramed && { 'data-framed': true })}>
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
