import type { ManagedMember } from '@sortie/contract';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChange } from '../../../api/queries.ts';
import { Confirm } from '../../../look/confirm.tsx';
import { useAccount, useAccountId } from '../../../shell/use-account.ts';

interface RemoveMemberProps {
  member: ManagedMember;
  isSelf: boolean;
  onClose(): void;
}

/** Removes a member, or leaves the account. */
export function RemoveMember({ member: { userId, name, email }, isSelf, onClose }: RemoveMemberProps): ReactNode {
  const accountId = useAccountId();
  const account = useAccount()?.name ?? 'the account';
  const navigate = useNavigate();
  const { mutateAsync, isPending, error } = useChange('removeMember');
  const remove = async () => {
    const removed = await mutateAsync({ params: { accountId, userId } }).catch(() => undefined);
    if (!removed) return;
    onClose();
    if (isSelf) await navigate({ to: '/' });
  };
  return (
    <Confirm
      title={isSelf ? `Leave ${account}?` : `Remove ${name} from ${account}?`}
      action={isSelf ? 'Leave' : 'Remove member'}
      isPending={isPending}
      error={error}
      onConfirm={remove}
      onClose={onClose}
    >
      {isSelf
        ? 'Your API keys of this account stop working at once. Runs in progress continue. Only the account can let you in again.'
        : `The API keys of ${name} (${email}) stop working at once. Runs in progress continue.`}
    </Confirm>
  );
}
