import { Alert, Text } from '@mantine/core';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useLiveUpdates } from '../api/live.ts';
import { rememberAccount } from './preferred-account.ts';
import { useAccount } from './use-account.ts';

const route = getRouteApi('/shell/accounts/$accountId');

/** Everything below one account. */
export function AccountArea(): ReactNode {
  const { accountId } = route.useParams();
  const account = useAccount();
  useLiveUpdates(account && !account.suspended ? account.id : undefined);
  useEffect(() => {
    if (account) rememberAccount(account.id);
  }, [account]);
  if (!account) {
    return (
      <Alert color="red" variant="outline" role="alert" title="There is no such account, or it is not yours">
        <Text size="sm">
          {accountId} is none of your accounts. Switch accounts at the top of the page, or ask an owner to invite you.
        </Text>
      </Alert>
    );
  }
  if (account.suspended) {
    return (
      <Alert color="red" variant="outline" role="alert" title="This account is suspended">
        <Text size="sm">Its data cannot be read, and nothing starts. Contact the operator of this service.</Text>
      </Alert>
    );
  }
  return <Outlet />;
}
