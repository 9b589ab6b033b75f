import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogProps {
  title: string;
  onClose(): void;
  /** Whether a stray click or Escape must not close it, since its content is not shown again. */
  isSticky?: boolean;
  children: ReactNode;
}

/** A dialog whose state goes with it: render it only while it is open. */
export function Dialog({ title, onClose, isSticky = false, children }: DialogProps): ReactNode {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
      withCloseButton={!isSticky}
      closeOnClickOutside={!isSticky}
      closeOnEscape={!isSticky}
    >
      {children}
    </Modal>
  );
}
