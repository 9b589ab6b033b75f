import { Alert, Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { cureOf } from '../../api/errors.ts';
import { Frame } from './frame.tsx';
import { textsOf } from './texts-of.ts';

interface EntryFormProps {
  title: string;
  /** The label of the button. */
  action: string;
  error: Error | null;
  isPending: boolean;
  onSubmit: (texts: Record<string, string>) => void;
  children: ReactNode;
  /** What follows the form. */
  below?: ReactNode;
}

/** A page with one form of the sign-in. */
export function EntryForm({ title, action, error, isPending, onSubmit, children, below }: EntryFormProps): ReactNode {
  return (
    <Frame title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(textsOf(event.currentTarget));
        }}
      >
        <Stack>
          {error && (
            <Alert color="red" variant="outline" role="alert" title={error.message}>
              {cureOf(error)}
            </Alert>
          )}
          {children}
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Stack>
      </form>
      {below}
    </Frame>
  );
}
