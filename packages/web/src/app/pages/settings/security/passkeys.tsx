import { Button, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { hasPasskeys } from '../../../api/passkeys.ts';
import { formatTime } from '../../../look/format.ts';
import { Problem } from '../../../look/problem.tsx';
import { Section } from '../../../look/section.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { Entries } from './entries.tsx';
import { type Passkey, RemovePasskey } from './remove-passkey.tsx';
import { useAuth } from './use-auth.ts';

export function Passkeys(): ReactNode {
  const passkeys = useAuth<Passkey[]>('passkey/list-user-passkeys');
  const [isAdding, setAdding] = useState(false);
  const [removed, remove] = useState<Passkey>();
  return (
    <Section title="Passkeys">
      <Text size="sm">
        A passkey signs in by the fingerprint, the face or the PIN of a device, without password and code.
      </Text>
      {passkeys.error && <Problem error={passkeys.error} onRetry={() => passkeys.refetch()} />}
      {passkeys.isPending && <Skeleton height={36} />}
      {passkeys.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No passkeys yet.
        </Text>
      )}
      {passkeys.data && <List passkeys={passkeys.data} onRemove={remove} />}
      {hasPasskeys() ? (
        <Button variant="default" onClick={() => setAdding(true)} style={{ alignSelf: 'flex-start' }}>
          Add passkey
        </Button>
      ) : (
        <Text size="sm">
          Passkeys cannot be added here: they need a browser that has them and an address with a host name and HTTPS, or
          localhost.
        </Text>
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {removed && <RemovePasskey passkey={removed} onClose={() => remove(undefined)} />}
    </Section>
  );
}

interface ListProps {
  passkeys: readonly Passkey[];
  onRemove(passkey: Passkey): void;
}

function List({ passkeys, onRemove }: ListProps): ReactNode {
  if (passkeys.length === 0) return null;
  const entries = passkeys.map((passkey) => ({
    id: passkey.id,
    title: passkey.name ?? 'Passkey',
    details: `Added ${formatTime(passkey.createdAt)}`,
    action: (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Remove ${passkey.name ?? 'passkey'}`}
        onClick={() => onRemove(passkey)}
      >
        Remove
      </Button>
    ),
  }));
  return <Entries label="Passkeys" entries={entries} />;
}
