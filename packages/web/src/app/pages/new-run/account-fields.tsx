import { Button, Group, Paper, PasswordInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoginTry } from './login-try.tsx';
import type { TestAccount, Tested } from './test-account.ts';

type Kind = NonNullable<TestAccount['kind']>;
type MoreText = 'totpSecret' | 'tokenUrl' | 'scope' | 'audience';
type MoreChoice = 'mode' | 'location';

interface KindFields {
  label: string;
  user: string;
  pass: string;
  texts?: readonly MoreText[];
  choice?: MoreChoice;
}

/** What a kind calls its fields, and which ones it has besides. */
const kinds: Readonly<Record<Kind, KindFields>> = {
  FORM_LOGIN: { label: 'Login form', user: 'Username', pass: 'Password', texts: ['totpSecret'], choice: 'mode' },
  BEARER_TOKEN: { label: 'Bearer token', user: 'Client id, if any', pass: 'Token', texts: ['tokenUrl'] },
  BASIC_AUTH: { label: 'Basic authentication', user: 'Username', pass: 'Password' },
  COOKIE: { label: 'Cookie', user: 'Cookie name', pass: 'Cookie value' },
  API_KEY: { label: 'API key', user: 'Header or parameter name', pass: 'Key', choice: 'location' },
};

const textLabels: Readonly<Record<MoreText, string>> = {
  totpSecret: 'Authenticator secret, if the login asks for codes',
  tokenUrl: 'OAuth token URL, if the token comes from one',
  scope: 'Scope, if the token URL needs one',
  audience: 'Audience, if the token URL needs one',
};

const choices: Readonly<Record<MoreChoice, { label: string; values: Readonly<Record<string, string>> }>> = {
  mode: {
    label: 'Login is sent',
    values: { auto: 'Find out', form: 'By the form', json: 'As JSON', browser: 'By the browser' },
  },
  location: { label: 'Sent in', values: { header: 'A header', query: 'The query' } },
};

interface AccountFieldsProps {
  account: TestAccount;
  tested: Tested;
  onChange(account: TestAccount): void;
  onRemove(): void;
}

export function AccountFields({ account, tested, onChange, onRemove }: AccountFieldsProps): ReactNode {
  const kind = account.kind ?? 'FORM_LOGIN';
  const { user, pass, choice } = kinds[kind];
  const { name, user: userValue, pass: passValue } = account;
  const change = (field: keyof TestAccount, text: string) => onChange(withField(account, field, text));
  return (
    <Paper withBorder p="md" role="group" aria-label={`Test account ${name}`}>
      <Stack gap="sm">
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
            required={kind !== 'BASIC_AUTH'}
            autoComplete="off"
            w={220}
            value={passValue}
            onChange={(event) => onChange({ ...account, pass: event.currentTarget.value })}
          />
          {choice && <Choice field={choice} account={account} onChange={(value) => change(choice, value)} />}
          {textsOf(account).map((field) => (
            <PasswordOrText
              key={field}
              field={field}
              value={account[field] ?? ''}
              onChange={(text) => change(field, text)}
            />
          ))}
        </Group>
        <Textarea
          label="Instructions"
          description="How the login works, if it is unusual, for example: POST /api/login user field: email. No secrets."
          maw={700}
          autosize
          minRows={1}
          value={account.instructions ?? ''}
          onChange={(event) => change('instructions', event.currentTarget.value)}
        />
        <LoginTry account={account} tested={tested}>
          <Button variant="default" size="xs" onClick={onRemove}>
            Remove
          </Button>
        </LoginTry>
      </Stack>
    </Paper>
  );
}

/** Scope and audience belong to a token URL. */
const textsOf = ({ kind = 'FORM_LOGIN', tokenUrl }: TestAccount): readonly MoreText[] => [
  ...(kinds[kind].texts ?? []),
  ...(tokenUrl === undefined ? [] : (['scope', 'audience'] as const)),
];

interface ChoiceProps {
  field: MoreChoice;
  account: TestAccount;
  onChange(value: string): void;
}

function Choice({ field, account, onChange }: ChoiceProps): ReactNode {
  const { label, values } = choices[field];
  const [first = ''] = Object.keys(values);
  return (
    <Select
      label={label}
      w={150}
      allowDeselect={false}
      data={Object.entries(values).map(([value, shown]) => ({ value, label: shown }))}
      value={account[field] ?? first}
      onChange={(value) => onChange(value ?? first)}
    />
  );
}

interface PasswordOrTextProps {
  field: MoreText;
  value: string;
  onChange(text: string): void;
}

function PasswordOrText({ field, value, onChange }: PasswordOrTextProps): ReactNode {
  const Field = field === 'totpSecret' ? PasswordInput : TextInput;
  return (
    <Field
      label={textLabels[field]}
      autoComplete="off"
      w={300}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** An empty field is left out, since the API refuses it; without a token URL, so are those that belong to it. */
function withField(account: TestAccount, field: keyof TestAccount, text: string): TestAccount {
  const { [field]: _, ...rest } = account;
  const changed = (text === '' ? rest : { ...rest, [field]: text }) as TestAccount;
  if (changed.tokenUrl !== undefined) return changed;
  const { scope: __, audience: ___, ...withoutToken } = changed;
  return withoutToken;
}
