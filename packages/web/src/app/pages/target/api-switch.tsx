import { Stack, Switch } from '@mantine/core';
import type { ManagedTarget } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Problem } from '../../look/problem.tsx';
import { useAccount, useAccountId } from '../../shell/use-account.ts';

interface ApiSwitchProps {
  target: Pick<ManagedTarget, 'verificationId' | 'apiRuns'>;
  label: string;
  description?: string;
}

/** The switch of API runs of a target: on its page, and beside the keys that it binds. */
export function ApiSwitch({ target: { verificationId, apiRuns }, label, description }: ApiSwitchProps): ReactNode {
  const accountId = useAccountId();
  const role = useAccount()?.role;
  const change = useChange('setTargetApiRuns');
  return (
    <Stack gap="xs">
      <Switch
        label={label}
        description={description}
        checked={apiRuns}
        disabled={(role !== 'OWNER' && role !== 'ADMIN') || change.isPending}
        onChange={(event) =>
          change.mutate({ params: { accountId, verificationId }, body: { apiRuns: event.currentTarget.checked } })
        }
      />
      {change.error && <Problem error={change.error} />}
    </Stack>
  );
}
