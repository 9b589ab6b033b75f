import { Group, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRows } from '../../../api/queries.ts';
import type { ListSearch } from '../../../list/search.ts';
import { useAccountId } from '../../../shell/use-account.ts';

const kinds = [
  { value: 'key.', label: 'API keys' },
  { value: 'member.', label: 'Members' },
  { value: 'target.', label: 'Targets' },
  { value: 'credits.', label: 'Credits' },
  { value: 'account.', label: 'Account' },
];

const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
];

interface FiltersProps {
  /** `action`, `actor`, `from`, `to` and `order`, as in the URL. */
  search: ListSearch;
  onChange(changed: ListSearch): void;
}

/** What, who, when, and in which order. */
export function Filters({ search: { action, actor, from, to, order }, onChange }: FiltersProps): ReactNode {
  const accountId = useAccountId();
  const { data: members = [] } = useRows('listMembers', { accountId }, (answer) => answer.members);
  const people = members.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` }));
  const choose = (name: string) => (value: string | null) => onChange({ [name]: value || undefined });
  const common = { size: 'xs', placeholder: 'All', clearable: true } as const;
  return (
    <Group gap="sm">
      <Select {...common} label="What" data={kinds} value={action ?? null} onChange={choose('action')} />
      <Select {...common} label="Who" searchable data={people} value={actor ?? null} onChange={choose('actor')} />
      <DateInput label="From (UTC)" value={from} onChange={choose('from')} />
      <DateInput label="Before (UTC)" value={to} onChange={choose('to')} />
      <Select
        label="Order"
        size="xs"
        allowDeselect={false}
        data={orders}
        value={order === 'oldest' ? 'oldest' : 'newest'}
        onChange={choose('order')}
      />
    </Group>
  );
}

interface DateInputProps {
  label: string;
  value: string | undefined;
  onChange(value: string): void;
}

const DateInput = ({ label, value = '', onChange }: DateInputProps): ReactNode => (
  <TextInput
    type="date"
    size="xs"
    label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
