import { Button, Group, Text } from '@mantine/core';
import type { AccountOfPerson } from '@sortie/contract';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../../api/queries.ts';
import { Dialog } from '../../../look/dialog.tsx';
import { NameForm } from '../../../look/name-form.tsx';
import { Section } from '../../../look/section.tsx';
import { CreateOrganization } from '../../../shell/create-organization.tsx';
import { useMe } from '../../../shell/use-account.ts';
import { isManager } from './member-rules.ts';

/** What the account is called, and the way to an organization for people who have only a personal account. */
export function AccountName({ account }: { account: AccountOfPerson }): ReactNode {
  const mayCreate = useMe().allows.createOrganization;
  const [dialog, open] = useState<'rename' | 'create'>();
  const isPersonal = account.kind === 'personal';
  const close = () => open(undefined);
  return (
    <Section title={isPersonal ? 'Personal account' : 'Organization'}>
      <Text size="sm" maw={700}>
        <b>{account.name}</b>, plan {account.plan}.
        {isPersonal && ' A personal account has one member. To work with others, create an organization.'}
      </Text>
      <Group>
        {isManager(account) && (
          <Button variant="default" onClick={() => open('rename')}>
            Rename
          </Button>
        )}
        {isPersonal && mayCreate && (
          <Button variant="default" onClick={() => open('create')}>
            Create an organization
          </Button>
        )}
      </Group>
      {dialog === 'rename' && <RenameAccount account={account} onClose={close} />}
      {dialog === 'create' && <CreateOrganization onClose={close} />}
    </Section>
  );
}

function RenameAccount({ account, onClose }: { account: AccountOfPerson; onClose(): void }): ReactNode {
  const { mutate, isPending, error } = useChange('renameAccount');
  return (
    <Dialog title="Rename the account" onClose={onClose}>
      <NameForm
        name={account.name}
        description="Its members and the people whom you invite see it."
        action="Rename account"
        isPending={isPending}
        error={error}
        onSubmit={(name) => mutate({ params: { accountId: account.id }, body: { name } }, { onSuccess: onClose })}
      />
    </Dialog>
  );
}
