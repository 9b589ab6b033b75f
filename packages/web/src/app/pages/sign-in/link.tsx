import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { EntryForm } from './form.tsx';
import { tokenOfLink } from './token-of-link.ts';
import { useEntrance } from './use-entrance.ts';

/** Signs in with a link that works once. A click is needed, so that programs that preview links do not use it up. */
export function LinkPage(): ReactNode {
  const [token] = useState(tokenOfLink);
  const entrance = useEntrance('sign-in/link');
  return (
    <EntryForm
      title="Sign in with your link"
      action="Sign in"
      error={entrance.error}
      isPending={entrance.isPending}
      onSubmit={() => entrance.mutate({ token })}
    >
      <Text>The link works once.</Text>
    </EntryForm>
  );
}
