import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChange } from '../api/queries.ts';
import { Dialog } from '../look/dialog.tsx';
import { NameForm } from '../look/name-form.tsx';

/** Creates an organization and goes to its members, whom to invite is the next question. */
export function CreateOrganization({ onClose }: { onClose(): void }): ReactNode {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useChange('createOrganization');
  const create = (name: string) =>
    mutate(
      { params: {}, body: { name } },
      {
        onSuccess({ id }) {
          onClose();
          navigate({ href: `/accounts/${encodeURIComponent(id)}/settings/members` });
        },
      },
    );
  return (
    <Dialog title="Create an organization" onClose={onClose}>
      <NameForm
        description="Its members and the people whom you invite see it. You are its owner, on the plan free."
        action="Create organization"
        isPending={isPending}
        error={error}
        onSubmit={create}
      />
    </Dialog>
  );
}
