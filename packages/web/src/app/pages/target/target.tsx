import { Button } from '@mantine/core';
import type { ManagedTarget } from '@sortie/contract';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { Facts } from '../../look/facts.tsx';
import { formatTime } from '../../look/format.ts';
import { IdText } from '../../look/id-text.tsx';
import { LoadingPage, Page } from '../../look/page.tsx';
import { ProblemPage } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useAccount, useAccountId, useScreenPath } from '../../shell/use-account.ts';
import { ApiDescription } from './api-description.tsx';
import { ApiSwitch } from './api-switch.tsx';
import { Assignments } from './assignments.tsx';
import { Ownership } from './ownership.tsx';
import { RemoveTarget } from './remove-target.tsx';
import { Rules } from './rules.tsx';

/** A worker completes a check within seconds. */
const isChecking = (target: ManagedTarget | undefined) =>
  target !== undefined && target.lastCheck !== null && target.lastCheck.state !== 'DONE';

/** One verification of a target: proof, API switch, rules of engagement, API description, assignments. */
export function TargetPage(): ReactNode {
  const accountId = useAccountId();
  const { verificationId = '' } = useParams({ strict: false });
  const account = useAccount();
  const screenPath = useScreenPath();
  const mayManage = account?.role === 'OWNER' || account?.role === 'ADMIN';
  const {
    data: target,
    error,
    refetch,
  } = useCall(
    'getManagedTarget',
    { accountId, verificationId },
    { refetchInterval: (answer) => (isChecking(answer) ? 2_000 : false) },
  );
  if (!target) return error ? <ProblemPage error={error} onRetry={refetch} /> : <LoadingPage title="Target" />;
  return (
    <Page
      title={target.origin}
      actions={
        target.verified && (
          <Button component={Link} to={screenPath('runs/new') as '/'} search={{ target: verificationId } as never}>
            New run on this target
          </Button>
        )
      }
    >
      <Facts isFramed facts={factsOf(target)} />
      <Ownership target={target} mayManage={mayManage} />
      <Section title="API runs">
        <ApiSwitch
          target={target}
          label="API runs"
          description="Whether API keys and pipelines may start pentests of this target. People may in any case."
        />
      </Section>
      <Rules target={target} mayManage={mayManage} />
      <ApiDescription target={target} mayManage={mayManage} />
      {account?.kind === 'organization' && <Assignments target={target} mayManage={mayManage} />}
      {mayManage && <RemoveTarget target={target} />}
    </Page>
  );
}

function factsOf({ verificationId, coveredName, coveredOrigin, origin, lastRun }: ManagedTarget) {
  return {
    'Verification id': <IdText id={verificationId} />,
    Covers: coveredName === null ? (coveredOrigin ?? origin) : `${coveredName} and its subdomains, on any port`,
    'Latest run': lastRun && <ScreenLink to={`runs/${lastRun.id}`}>{formatTime(lastRun.createdAt)}</ScreenLink>,
  };
}
