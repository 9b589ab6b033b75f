import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ManagedTarget } from '@sortie/contract';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Confirm } from '../../look/confirm.tsx';
import { useAccountId, useScreenPath } from '../../shell/use-account.ts';

export function RemoveTarget({ target: { verificationId, origin } }: { target: ManagedTarget }): ReactNode {
  const accountId = useAccountId();
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  const remove = useChange('removeTarget');
  return (
    <Group>
      <Button variant="default" c="var(--severity-high)" onClick={open}>
        Remove this verification
      </Button>
      {isOpen && (
        <Confirm
          title={`Remove the verification of ${origin}?`}
          action="Remove"
          isPending={remove.isPending}
          error={remove.error}
          onClose={close}
          onConfirm={() =>
            remove.mutate(
              { params: { accountId, verificationId } },
              { onSuccess: () => navigate({ href: screenPath('targets') }) },
            )
          }
        >
          Its verification id starts no more pentests, so pipelines that use it are refused. Earlier runs and their
          reports stay.
        </Confirm>
      )}
    </Group>
  );
}
