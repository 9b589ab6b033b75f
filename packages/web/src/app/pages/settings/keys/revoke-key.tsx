import type { ManagedKey } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/queries.ts';
import { Confirm } from '../../../look/confirm.tsx';
import { useAccountId } from '../../../shell/use-account.ts';

interface RevokeKeyProps {
  apiKey: ManagedKey;
  onClose(): void;
}

export function RevokeKey({ apiKey: { id, name, lastFour }, onClose }: RevokeKeyProps): ReactNode {
  const accountId = useAccountId();
  const revoke = useChange('revokeKey');
  return (
    <Confirm
      title={`Revoke the key ${name}?`}
      action="Revoke key"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ params: { accountId, keyId: id } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      The key {name}, which ends in {lastFour}, stops working at once. This cannot be undone. Runs in progress continue.
    </Confirm>
  );
}
