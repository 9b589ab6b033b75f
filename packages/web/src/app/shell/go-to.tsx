import { Kbd, Text, UnstyledButton } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import type { ReactNode } from 'react';
import { Icon } from '../look/icons.tsx';

const isApple = /Mac|iP(?:hone|ad)/.test(navigator.userAgent);

/** Opens the palette, and says by which keys it opens, too. */
export function GoTo(): ReactNode {
  return (
    <UnstyledButton className="go-to" onClick={() => spotlight.open()} visibleFrom="sm">
      <Icon name="search" size={14} />
      <Text span size="xs">
        Go to…
      </Text>
      <Kbd size="xs">{isApple ? '⌘ K' : 'Ctrl K'}</Kbd>
    </UnstyledButton>
  );
}
