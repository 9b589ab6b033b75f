import { Button, CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';

export function Copy({ value, label = 'Copy' }: { value: string; label?: string }): ReactNode {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy}>
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}
