import { Button, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../api/queries.ts';
import { counted, formatNumber } from '../look/format.ts';
import { useAccount, useScreenPath } from './use-account.ts';

/** Available and held credits. */
export function CreditsPill(): ReactNode {
  const account = useAccount();
  const navigate = useNavigate();
  const screenPath = useScreenPath();
  const mayRead = account !== undefined && !account.suspended && account.permissions.includes('credits:read');
  const { data } = useCall(
    'getCreditsBalance',
    { accountId: account?.id ?? '' },
    {
      enabled: mayRead,
      refetchInterval: () => 30_000,
    },
  );
  if (!mayRead || !data) return null;
  return (
    <Button variant="default" size="xs" radius="xl" onClick={() => navigate({ href: screenPath('credits') })}>
      {counted(data.available, 'credit')}
      {data.held > 0 && (
        <Text span inherit visibleFrom="sm" style={{ whiteSpace: 'pre' }}>
          {` · ${formatNumber(data.held)} held`}
        </Text>
      )}
    </Button>
  );
}
