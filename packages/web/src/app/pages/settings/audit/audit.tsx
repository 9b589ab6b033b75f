import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { AuditLogEntry } from '@sortie/contract';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call, type QueryValues } from '../../../api/call.ts';
import { MOST_ROWS, useCall } from '../../../api/queries.ts';
import { saveFile } from '../../../list/csv.ts';
import type { ListSearch } from '../../../list/search.ts';
import { Problem } from '../../../look/problem.tsx';
import { useAccountId } from '../../../shell/use-account.ts';
import { Entries, entriesAsCsv } from './entries.tsx';
import { Filters } from './filters.tsx';

const PAGE_ROWS = 50;

/** Read page by page: a log can be longer than a browser should load. Filter, order and page are in the URL. */
export function AuditTab(): ReactNode {
  const accountId = useAccountId();
  const search: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const offset = Math.max(0, Math.trunc(Number(search.offset)) || 0);
  const { action, actor, from, to } = search;
  const question = { action, actor, from, to, order: search.order === 'oldest' ? 'oldest' : undefined };
  const log = useCall('listAudit', { accountId }, { query: { ...question, limit: PAGE_ROWS, offset } });
  const change = (changed: ListSearch) =>
    navigate({ to: '.', search: { ...question, ...changed } as never, replace: true, resetScroll: false });
  return (
    <Stack gap="sm">
      <Filters search={search} onChange={change} />
      {log.error && <Problem error={log.error} onRetry={log.refetch} />}
      {log.isPending && <Skeleton height={200} role="status" aria-label="Loading" />}
      {log.data?.entries.length === 0 && <Text py="xl">Nothing has happened that matches the filter.</Text>}
      {log.data && log.data.entries.length > 0 && <Entries entries={log.data.entries} />}
      {log.data && (
        <Group justify="flex-end">
          {log.data.entries.length > 0 && <SaveAll question={question} />}
          <Button
            size="xs"
            variant="default"
            disabled={offset === 0}
            onClick={() => change({ offset: String(Math.max(0, offset - PAGE_ROWS)) })}
          >
            Previous
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={log.data.nextOffset === null}
            onClick={() => change({ offset: String(log.data.nextOffset) })}
          >
            Next
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Saves every entry that matches the filter, on all pages. */
function SaveAll({ question }: { question: QueryValues }): ReactNode {
  const accountId = useAccountId();
  const { mutate, isPending, error } = useMutation<void>({
    async mutationFn() {
      const entries: AuditLogEntry[] = [];
      let offset: number | null = 0;
      while (offset !== null && entries.length < MOST_ROWS) {
        const page: Awaited<ReturnType<typeof call<'listAudit'>>> = await call('listAudit', {
          params: { accountId },
          query: { ...question, limit: 100, offset },
        });
        entries.push(...page.entries);
        offset = page.nextOffset;
      }
      saveFile('sortie-audit.csv', entriesAsCsv(entries), 'text/csv');
    },
  });
  return (
    <>
      {error && <Problem error={error} />}
      <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
        CSV
      </Button>
    </>
  );
}
