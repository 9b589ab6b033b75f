import { ActionIcon, Button, CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

interface CopyProps {
  value: string;
  /** What is copied, where the text beside the button does not say it. */
  label?: string;
}

/** A small button beside a value, or one with words. */
export function Copy({ value, label }: CopyProps): ReactNode {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) =>
        label === undefined ? (
          <ActionIcon
            size={26}
            variant="subtle"
            color={copied ? 'green' : 'gray'}
            onClick={copy}
            aria-label={copied ? 'Copied' : 'Copy'}
            title="Copy"
          >
            <Icon name={copied ? 'check' : 'copy'} size={15} />
          </ActionIcon>
        ) : (
          <Button size="compact-xs" variant="default" onClick={copy}>
            {copied ? 'Copied' : label}
          </Button>
        )
      }
    </CopyButton>
  );
}
