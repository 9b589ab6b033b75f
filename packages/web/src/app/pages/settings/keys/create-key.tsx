import { Button, Checkbox, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import type { Permission } from '@sortie/contract';
import { type ReactNode, useState } from 'react';
import { Problem } from '../../../look/problem.tsx';
import { useAccount, useAccountId } from '../../../shell/use-account.ts';
import { KeyDialog } from './key-dialog.tsx';
import { endOf, expiries } from './period.ts';
import { useKeySecret } from './use-key-secret.ts';

export function CreateKey({ onClose }: { onClose(): void }): ReactNode {
  const accountId = useAccountId();
  const offered = useAccount()?.permissions ?? [];
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<Permission[]>(offered.filter((each) => each.endsWith(':read')));
  const [budget, setBudget] = useState<string | number>('');
  const [expiry, setExpiry] = useState('90d');
  const { send, error, isPending, secret } = useKeySecret('createKey');
  const body = { name, permissions, budget: budget === '' ? null : Number(budget) };
  return (
    <KeyDialog title="Create an API key" secret={secret} isPending={isPending} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send({ params: { accountId }, body: { ...body, expiresAt: endOf(expiries, expiry, Date.now()) } });
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Name"
            placeholder="Where it is used, such as deploy pipeline"
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox.Group
            label="Permissions"
            description="Those of your role; the key can do no more than you can."
            value={permissions}
            onChange={setPermissions}
          >
            <Stack gap="xs" mt="xs">
              {offered.map((permission) => (
                <Checkbox key={permission} value={permission} label={permission} />
              ))}
            </Stack>
          </Checkbox.Group>
          <NumberInput
            label="Budget"
            description="Credits per month; empty: no budget."
            min={0}
            allowDecimal={false}
            thousandSeparator=","
            hideControls
            value={budget}
            onChange={setBudget}
          />
          <NativeSelect
            label="Expires"
            data={expiries.map(({ value, label }) => ({ value, label }))}
            value={expiry}
            onChange={(event) => setExpiry(event.currentTarget.value)}
          />
          {error && <Problem error={error} />}
          <Button type="submit" loading={isPending}>
            Create key
          </Button>
        </Stack>
      </form>
    </KeyDialog>
  );
}
