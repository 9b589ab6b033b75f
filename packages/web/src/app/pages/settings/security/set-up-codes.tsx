import { type ReactNode, useState } from 'react';
import { callAuth } from '../../../api/auth.ts';
import { Dialog } from '../../../look/dialog.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { ConfirmCode } from './confirm-code.tsx';
import { PasswordForm } from './password-form.tsx';
import { useAuthChange } from './use-auth.ts';

interface Secrets {
  totpURI: string;
  backupCodes: string[];
}

/** Password, then the app, then the backup codes. The second factor is on once a code of the app was right. */
export function SetUpCodes({ onClose }: { onClose(): void }): ReactNode {
  const [isConfirmed, setConfirmed] = useState(false);
  const enable = useAuthChange((password: string) => callAuth<Secrets>('two-factor/enable', { password }));
  const secrets = enable.data;
  return (
    <Dialog title="Set up a second factor" onClose={onClose} isSticky={isConfirmed}>
      {!secrets && (
        <PasswordForm
          action="Continue"
          error={enable.error}
          isPending={enable.isPending}
          onSubmit={(password) => enable.mutate(password)}
        >
          You need an authenticator app, for example on your phone.
        </PasswordForm>
      )}
      {secrets && !isConfirmed && <ConfirmCode uri={secrets.totpURI} onConfirmed={() => setConfirmed(true)} />}
      {secrets && isConfirmed && <BackupCodes codes={secrets.backupCodes} onStored={onClose} />}
    </Dialog>
  );
}
