import { Button, Group, Paper, PasswordInput, Select, Text, TextInput } from '@mantine/core';
import type { StartPentest } from '@sortie/contract';
import type { ReactNode } from 'react';
import { Section } from '../../look/section.tsx';

export type TestAccount = NonNullable<StartPentest['credentials']>[number];
type Kind = NonNullable<TestAccount['kind']>;

/** What a kind calls its fields, and which ones it has besides. */
const kinds: Readonly<Record<Kind, { label: string; user: string; pass: string; more: readonly MoreField[] }>> = {
  FORM_LOGIN: { label: 'Login form', user: 'Username', pass: 'Password', more: ['totpSecret'] },
  BEARER_TOKEN: { label: 'Bearer token', user: 'Client id, if any', pass: 'Token', more: ['tokenUrl'] },
  BASIC_AUTH: { label: 'Basic authentication', user: 'Username', pass: 'Password', more: [] },
  COOKIE: { label: 'Cookie', user: 'Cookie name', pass: 'Cookie value', more: [] },
  API_KEY: { label: 'API key', user: 'Header or parameter name', pass: 'Key', more: [] },
};

type MoreField = 'totpSecret' | 'tokenUrl';
const moreLabels: Readonly<Record<MoreField, string>> = {
  totpSecret: 'Authenticator secret, if the login asks for codes',
  tokenUrl: 'OAuth token URL, if the token comes from one',
};

interface TestAccountsProps {
  accounts: readonly TestAccount[];
  onChange(accounts: readonly TestAccount[]): void;
}

/** Accounts for testing behind a login, with the fields that their kind uses. */
export function TestAccounts({ accounts, onChange }: TestAccountsProps): ReactNode {
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

interface AccountFieldsProps {
  account: TestAccount;
  onChange(account: TestAccount): void;
  onRemove(): void;
}

function AccountFields({ account, onChange, onRemove }: AccountFieldsProps): ReactNode {
  const kind = account.kind ?? 'FORM_LOGIN';
  const { user, pass, more } = kinds[kind];
  const { name, user: userValue, pass: passValue } = account;
  return (
    <Paper withBorder p="md">
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Name"
          required
          pattern="[A-Za-z0-9_\-]{1,100}"
          value={name}
          onChange={(event) => onChange({ ...account, name: event.currentTarget.value })}
        />
        <Select
          label="Kind"
          allowDeselect={false}
          data={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
          value={kind}
          // Fields of another kind would be refused.
          onChange={(chosen) => onChange({ name, kind: chosen as Kind, user: userValue, pass: passValue })}
        />
        <TextInput
          label={user}
          required={kind !== 'BEARER_TOKEN'}
          autoComplete="off"
          value={userValue}
          onChange={(event) => onChange({ ...account, user: event.currentTarget.value })}
        />
        <PasswordInput
          label={pass}
          required
          autoComplete="off"
          w={220}
          value={passValue}
          onChange={(event) => onChange({ ...account, pass: event.currentTarget.value })}
        />
        {more.map((field) => (
          <PasswordOrText
            key={field}
            field={field}
            value={account[field] ?? ''}
            onChange={(text) => onChange(withField(account, field, text))}
          />
        ))}
        <Button variant="default" size="xs" onClick={onRemove}>
          Remove
        </Button>
      </Group>
    </Paper>
  );
}

interface PasswordOrTextProps {
  field: MoreField;
  value: string;
  onChange(text: string): void;
}

function PasswordOrText({ field, value, onChange }: PasswordOrTextProps): ReactNode {
  const Field = field === 'totpSecret' ? PasswordInput : TextInput;
  return (
    <Field
      label={moreLabels[field]}
      autoComplete="off"
      w={300}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** An empty field is left out: the API refuses it. */
function withField(account: TestAccount, field: MoreField, text: string): TestAccount {
  const { [field]: _, ...rest } = account;
  return text === '' ? rest : { ...rest, [field]: text };
}
