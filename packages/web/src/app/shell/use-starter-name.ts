import { useMemo } from 'react';
import { useRows } from '../api/queries.ts';
import { useAccountId } from './use-account.ts';

/**
 * Returns a function that names what started a run or a scan: the dashboard, or an API key by its name. Keys of others
 * are named by their id where the person may not see them.
 */
export function useStarterName(): (apiKeyId: string | null) => string {
  const accountId = useAccountId();
  const { data: keys } = useRows('listKeys', { accountId }, (answer) => answer.keys);
  return useMemo(() => {
    const names = new Map(keys?.map(({ id, name, lastFour }) => [id, `${name} (…${lastFour})`]));
    return (apiKeyId) => (apiKeyId === null ? 'Dashboard' : `API key ${names.get(apiKeyId) ?? apiKeyId}`);
  }, [keys]);
}
