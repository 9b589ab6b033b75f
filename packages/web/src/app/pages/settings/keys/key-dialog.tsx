import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { KeySecret } from './key-secret.tsx';

interface KeyDialogProps {
  title: string;
  /** The text of the new key, once there is one. */
  secret: string | undefined;
  /** While it is made, closing the dialog would lose it. */
  isPending: boolean;
  onClose(): void;
  /** Asks what is needed for the new key. */
  children: ReactNode;
}

/** A dialog that creates a key. While it shows the key, it closes only when the person says that the key is stored. */
export function KeyDialog({ title, secret, isPending, onClose, children }: KeyDialogProps): ReactNode {
  const mayClose = secret === undefined && !isPending;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={title}
      closeOnEscape={mayClose}
      closeOnClickOutside={mayClose}
      withCloseButton={mayClose}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {secret === undefined ? children : <KeySecret secret={secret} onClose={onClose} />}
    </Modal>
  );
}
