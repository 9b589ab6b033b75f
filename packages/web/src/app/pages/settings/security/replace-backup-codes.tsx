import type { ReactNode } from 'react';
import { callAuth } from '../../../api/auth.ts';
import { Dialog } from '../../../look/dialog.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { PasswordForm } from './password-form.tsx';
import { useAuthChange } from './use-auth.ts';

export function ReplaceBackupCodes({ onClose }: { onClose(): void }): ReactNode {
  const replace = useAuthChange((password: string) =>
    callAuth<{ backupCodes: string[] }>('two-factor/generate-backup-codes', { password }),
  );
  return (
    <Dialog title="New backup codes" onClose={onClose} isSticky={replace.isSuccess}>
      {replace.data ? (
        <BackupCodes codes={replace.data.backupCodes} onStored={onClose} />
      ) : (
        <PasswordForm
          action="Replace backup codes"
          error={replace.error}
          isPending={replace.isPending}
          onSubmit={(password) => replace.mutate(password)}
        >
          The present backup codes stop working.
        </PasswordForm>
      )}
    </Dialog>
  );
}
