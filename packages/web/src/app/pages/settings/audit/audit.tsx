import { Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall, useRows } from '../../../api/queries.ts';
import type { ListSearch } from '../../../list/search.ts';
import { Problem } from '../../../look/problem.tsx';
import { useAccountId } from '../../../shell/use-account.ts';
import { Entries } from './entries.tsx';

const PAGE_ROWS = 50;

const kinds = [
  { value: 'key.', label: 'API keys' },
  { value: 'member.', label: 'Members' },
  { value: 'target.', label: 'Targets' },
  { value: 'credits.', label: 'Credits' },
  { value: 'account.', label: 'Account' },
];

/** Read page by page: a log can be longer than a browser should load. Filter and page are in the URL. */
export function AuditTab(): ReactNode {
  const accountId = useAccountId();
  const search: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const offset = Math.max(0, Math.trunc(Number(search.offset)) || 0);
  const { action, actor } = search;
  const log = useCall('listAudit', { accountId }, { query: { action, actor, limit: PAGE_ROWS, offset } });
  const change = (changed: ListSearch) =>
    navigate({ to: '.', search: { action, actor, ...changed } as never, replace: true, resetScroll: false });
  return (
    <Stack gap="sm">
      <Filters action={action} actor={actor} onChange={change} />
      {log.error && <Problem error={log.error} onRetry={log.refetch} />}
      {log.isPending && <Skeleton height={200} aria-label="Loading" />}
      {log.data?.entries.length === 0 && <Text py="xl">Nothing has happened that matches the filter.</Text>}
      {log.data && log.data.entries.length > 0 && <Entries entries={log.data.entries} />}
      {log.data && (
        <Group justify="flex-end">
          <Button
            size="xs"
            variant="default"
            disabled={offset === 0}
            onClick={() => change({ offset: String(Math.max(0, offset - PAGE_ROWS)) })}
          >
            Newer
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={log.data.nextOffset === null}
            onClick={() => change({ offset: String(log.data.nextOffset) })}
          >
            Older
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface FiltersProps {
  action: string | undefined;
  actor: string | undefined;
  onChange(changed: ListSearch): void;
}

function Filters({ action, actor, onChange }: FiltersProps): ReactNode {
  const accountId = useAccountId();
  const { data: members = [] } = useRows('listMembers', { accountId }, (answer) => answer.members);
  return (
    <Group gap="sm">
      <Select
        label="What"
        size="xs"
        clearable
        placeholder="All"
        data={kinds}
        value={action ?? null}
        onChange={(value) => onChange({ action: value ?? undefined })}
      />
      <Select
        label="Who"
        size="xs"
        clearable
        searchable
        placeholder="All"
        data={members.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` }))}
        value={actor ?? null}
        onChange={(value) => onChange({ actor: value ?? undefined })}
      />
    </Group>
  );
}
