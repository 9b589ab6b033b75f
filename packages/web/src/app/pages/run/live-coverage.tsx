import type { Pentest } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { Section } from '../../look/section.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { isOver } from '../runs/status.ts';
import { CoverageTable } from './run-summary.tsx';

const EVERY_MS = 10_000;

/** What a run has tested so far, on levels whose report grows with it. The summary has the final coverage. */
export function LiveCoverage({ run }: { run: Pentest }): ReactNode {
  const accountId = useAccountId();
  const isShown = run.reportReleased && !isOver(run);
  const { data } = useCall(
    'getRunCoverage',
    { accountId, runId: run.id },
    { enabled: isShown, refetchInterval: () => (isShown ? EVERY_MS : false) },
  );
  if (!isShown || !data?.groups) return null;
  return (
    <Section title="Coverage so far">
      <CoverageTable groups={data.groups} />
    </Section>
  );
}
