import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMe } from './use-account.ts';

export function EnvironmentBadge(): ReactNode {
  const { environment } = useMe().service;
  return (
    <Badge
      variant="outline"
      color={environment === 'live' ? 'red' : 'indigo'}
      visibleFrom="xs"
      autoContrast
      title={`Environment: ${environment}`}
    >
      {environment}
    </Badge>
  );
}
