import { Button, Stack, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { Problem } from '../../look/problem.tsx';
import { useAccountId, useMay } from '../../shell/use-account.ts';

export function NoteForm({ findingId }: { findingId: string }): ReactNode {
  const accountId = useAccountId();
  const mayNote = useMay('pentests:write');
  const [text, setText] = useState('');
  const add = useChange('addFindingNote');
  if (!mayNote) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ params: { accountId, findingId }, body: { text } }, { onSuccess: () => setText('') });
      }}
    >
      <Stack gap="xs" align="flex-start" maw={800}>
        <Textarea
          label="Note"
          description="For the members of the account. Reports do not contain it."
          w="100%"
          autosize
          minRows={2}
          maxLength={5_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {add.error && <Problem error={add.error} />}
        <Button type="submit" size="xs" variant="default" loading={add.isPending} disabled={text.trim() === ''}>
          Add note
        </Button>
      </Stack>
    </form>
  );
}
