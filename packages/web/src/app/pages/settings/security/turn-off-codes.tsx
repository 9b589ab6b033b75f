import type { ReactNode } from 'react';
import { callAuth } from '../../../api/auth.ts';
import { Dialog } from '../../../look/dialog.tsx';
import { PasswordForm } from './password-form.tsx';
import { useAuthChange } from './use-auth.ts';

export function TurnOffCodes({ onClose }: { onClose(): void }): ReactNode {
  const disable = useAuthChange((password: string) => callAuth('two-factor/disable', { password }));
  return (
    <Dialog title="Turn off the second factor" onClose={onClose}>
      <PasswordForm
        action="Turn off"
        error={disable.error}
        isPending={disable.isPending}
        onSubmit={(password) => disable.mutate(password, { onSuccess: onClose })}
      >
        The password alone signs in then. The secret in the app and the backup codes stop working.
      </PasswordForm>
    </Dialog>
  );
}
