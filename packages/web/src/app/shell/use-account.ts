import type { AccountOfPerson, Me, Permission } from '@sortie/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { meQuery } from '../api/queries.ts';

export const useMe = (): Me => useSuspenseQuery(meQuery).data;

/** The id of the account in the address. Only for screens below an account. */
export function useAccountId(): string {
  const { accountId } = useParams({ strict: false });
  return accountId ?? '';
}

/** The account in the address, if it is one of the person's. */
export function useAccount(): AccountOfPerson | undefined {
  const accountId = useAccountId();
  return useMe().accounts.find(({ id }) => id === accountId);
}

/** Whether the person's role permits it. The server decides; this only leaves out what it would refuse. */
export function useMay(permission: Permission): boolean {
  return useAccount()?.permissions.includes(permission) ?? false;
}

/** The path of a screen of the account, for example `runs/pen_1`. */
export function useScreenPath(): (screen: string) => string {
  const accountId = useAccountId();
  return useCallback(
    (screen) => `/accounts/${encodeURIComponent(accountId)}${screen === '' ? '' : `/${screen}`}`,
    [accountId],
  );
}
