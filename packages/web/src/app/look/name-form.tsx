import { Button, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Problem } from './problem.tsx';

interface NameFormProps {
  description: string;
  /** The name as it is now; empty for something new. */
  name?: string;
  action: string;
  isPending: boolean;
  error: unknown;
  onSubmit(name: string): void;
}

/** Asks for one name. */
export function NameForm({ description, name = '', action, isPending, error, onSubmit }: NameFormProps): ReactNode {
  const [given, setGiven] = useState(name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(given);
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description={description}
          required
          maxLength={200}
          data-autofocus
          value={given}
          onChange={(event) => setGiven(event.currentTarget.value)}
        />
        {Boolean(error) && <Problem error={error} />}
        <Button type="submit" loading={isPending} disabled={given.trim() === '' || given.trim() === name}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
