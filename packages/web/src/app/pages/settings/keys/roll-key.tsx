import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import type { ManagedKey } from '@sortie/contract';
import { type ReactNode, useState } from 'react';
import { Problem } from '../../../look/problem.tsx';
import { useAccountId } from '../../../shell/use-account.ts';
import { KeyDialog } from './key-dialog.tsx';
import { endOf, expiries, overlaps } from './period.ts';
import { useKeySecret } from './use-key-secret.ts';

interface RollKeyProps {
  apiKey: ManagedKey;
  onClose(): void;
}

/** Replaces a key while pipelines still use it. */
export function RollKey({ apiKey: { id, name }, onClose }: RollKeyProps): ReactNode {
  const accountId = useAccountId();
  const [overlap, setOverlap] = useState('1d');
  const [expiry, setExpiry] = useState('90d');
  const { send, error, isPending, secret } = useKeySecret('rollKey');
  const roll = () => {
    const now = Date.now();
    const oldExpiresAt = endOf(overlaps, overlap, now) ?? new Date(now).toISOString();
    send({ params: { accountId, keyId: id }, body: { oldExpiresAt, expiresAt: endOf(expiries, expiry, now) } });
  };
  return (
    <KeyDialog title={`Roll the key ${name}`} secret={secret} isPending={isPending} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">
          The new key has the same name, permissions and budget, which both share until the old one stops working.
        </Text>
        <NativeSelect
          label="The old key stops working"
          data={overlaps.map(({ value, label }) => ({ value, label }))}
          value={overlap}
          onChange={(event) => setOverlap(event.currentTarget.value)}
        />
        <NativeSelect
          label="The new key expires"
          data={expiries.map(({ value, label }) => ({ value, label }))}
          value={expiry}
          onChange={(event) => setExpiry(event.currentTarget.value)}
        />
        {error && <Problem error={error} />}
        <Button onClick={roll} loading={isPending}>
          Roll key
        </Button>
      </Stack>
    </KeyDialog>
  );
}
