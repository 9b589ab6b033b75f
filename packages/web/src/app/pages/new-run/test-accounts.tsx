import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../look/section.tsx';
import { AccountFields } from './account-fields.tsx';
import type { TestAccount, Tested } from './test-account.ts';

interface TestAccountsProps {
  accounts: readonly TestAccount[];
  tested: Tested;
  onChange(accounts: readonly TestAccount[]): void;
}

/** Accounts for testing behind a login, with the fields that their kind uses. */
export function TestAccounts({ accounts, tested, onChange }: TestAccountsProps): ReactNode {
  const add = () =>
    onChange([...accounts, { name: `account-${accounts.length + 1}`, kind: 'FORM_LOGIN', user: '', pass: '' }]);
  return (
    <Section title="Test accounts">
      <Text size="sm" maw={700}>
        With accounts, the run tests what is behind the login, and with two of them whether one can read what belongs to
        the other. They are encrypted on arrival, never shown again, and deleted after 30 days.
      </Text>
      {accounts.map((account, index) => (
        <AccountFields
          // biome-ignore lint/suspicious/noArrayIndexKey: accounts are added at the end, and names are being typed.
          key={index}
          account={account}
          tested={tested}
          onChange={(changed) => onChange(accounts.with(index, changed))}
          onRemove={() => onChange(accounts.toSpliced(index, 1))}
        />
      ))}
      <Group>
        <Button variant="default" size="xs" onClick={add}>
          Add a test account
        </Button>
      </Group>
    </Section>
  );
}
