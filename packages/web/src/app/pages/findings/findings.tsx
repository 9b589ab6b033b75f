import { type ReactNode, useMemo } from 'react';
import { useRows } from '../../api/queries.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { Page } from '../../look/page.tsx';
import { useAccountId, useMay, useMe, useScreenPath } from '../../shell/use-account.ts';
import { columns, filtersFor } from './columns.tsx';

/** Every weakness that released reports tell of, once, as the latest run reports it. */
export function FindingsPage(): ReactNode {
  const accountId = useAccountId();
  const screenPath = useScreenPath();
  const mayStart = useMay('pentests:write');
  const { user } = useMe();
  const findings = useRows('listAccountFindings', { accountId }, (answer) => answer.findings);
  const filters = useMemo(() => filtersFor(findings.data ?? [], user.id), [findings.data, user.id]);
  return (
    <Page title="Findings">
      <List
        noun="finding"
        columns={columns}
        filters={filters}
        rows={findings}
        idOf={({ id }) => id}
        pathOf={({ runId, id }) => screenPath(`runs/${runId}/findings/${id}`)}
        empty={
          <NothingYet
            icon="finding"
            title="No findings yet"
            {...(mayStart && { action: { label: 'Start a run', path: screenPath('runs/new') } })}
          >
            Findings of all runs are listed here once their reports are released. That none is listed does not mean that
            a target is safe: a run tells what it tested.
          </NothingYet>
        }
      />
    </Page>
  );
}
