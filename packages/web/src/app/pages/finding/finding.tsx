import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import type { PentestFindingDetails } from '@sortie/contract';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAllPages, useCall } from '../../api/queries.ts';
import { CodeBlock } from '../../look/code-block.tsx';
import { Facts } from '../../look/facts.tsx';
import { formatTime } from '../../look/format.ts';
import { OutsideLink } from '../../look/outside-link.tsx';
import { LoadingPage, Page } from '../../look/page.tsx';
import { ProblemPage } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { ConfidenceBadge, SeverityLabel } from '../../look/severity.tsx';
import { UrlText } from '../../look/url-text.tsx';
import { Words } from '../../look/words.tsx';
import { usePageKeys } from '../../shell/keys.ts';
import { useAccountId, useScreenPath } from '../../shell/use-account.ts';
import { Evidence } from './evidence.tsx';
import { Places } from './places.tsx';
import { FindingHistory, FindingState } from './record.tsx';
import { Retests } from './retests.tsx';

export function FindingPage(): ReactNode {
  const accountId = useAccountId();
  const { runId = '', findingId = '' } = useParams({ strict: false });
  const { data, error, refetch } = useCall('getPentestFinding', { accountId, id: runId, findingId });
  if (!data) return error ? <ProblemPage error={error} onRetry={refetch} /> : <LoadingPage title="Finding" />;
  return (
    <Page title={data.title} actions={<Pager runId={runId} findingId={findingId} />}>
      <Group gap="md">
        <SeverityLabel severity={data.severity} />
        <ConfidenceBadge confidence={data.confidence} />
        {data.cvssScore && <Text size="sm">CVSS {data.cvssScore}</Text>}
      </Group>
      <div className="with-aside">
        <aside aria-label="State and facts">
          <FindingState findingId={findingId} />
          <Section title="Facts">
            <Facts facts={factsOf(data)} />
          </Section>
        </aside>
        <Stack gap="lg">
          <Prose title="Description" text={data.description} />
          <Prose title="Impact" text={data.impact} />
          <Section title="Evidence">
            <Evidence exchanges={data.evidence} deletedAt={data.evidenceDeletedAt} />
          </Section>
          <Reproduction finding={data} />
          <Prose title="Remediation" text={data.remediation} />
          <Retests runId={runId} findingId={findingId} isTestable={data.capsule !== null} />
          <Places places={data.places} />
          <References addresses={data.references} />
          <FindingHistory findingId={findingId} />
        </Stack>
      </div>
    </Page>
  );
}

function References({ addresses }: { addresses: readonly string[] }): ReactNode {
  if (addresses.length === 0) return null;
  return (
    <Section title="References">
      <List size="sm">
        {addresses.map((address) => (
          <List.Item key={address}>
            <OutsideLink href={address} />
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

function factsOf(finding: PentestFindingDetails): Record<string, ReactNode> {
  return {
    URL: finding.affectedUrl && <UrlText url={finding.affectedUrl} />,
    Method: finding.method,
    Parameter: finding.parameter && `${finding.parameter}${finding.location ? ` (${finding.location})` : ''}`,
    History: historyWords[finding.history] ?? finding.history,
    'CVSS 3.1': finding.cvssScore,
    'CVSS 3.1 vector': finding.cvssVector,
    'CVSS 4.0 vector': finding.cvss4Vector,
    CWE: finding.cweId && <CweLink id={finding.cweId} />,
    'OWASP Top 10': finding.owaspCategory,
    Check: finding.checkId,
    'Evidence deleted': finding.evidenceDeletedAt && formatTime(finding.evidenceDeletedAt),
  };
}

const historyWords: Readonly<Record<string, string>> = {
  NEW: 'New in this run',
  OPEN: 'Still open, an earlier run has it',
  REGRESSION: 'Regression: it was fixed in between',
};

function CweLink({ id }: { id: string }): ReactNode {
  const number = /^CWE-(\d{1,5})$/.exec(id)?.[1];
  if (number === undefined) return id;
  return <OutsideLink href={`https://cwe.mitre.org/data/definitions/${number}.html`}>{id}</OutsideLink>;
}

function Prose({ title, text }: { title: string; text: string | null }): ReactNode {
  if (!text) return null;
  return (
    <Section title={title}>
      <Text size="sm" maw={800} style={{ whiteSpace: 'pre-line' }}>
        <Words text={text} />
      </Text>
    </Section>
  );
}

function Reproduction({ finding: { stepsToReproduce, curl } }: { finding: PentestFindingDetails }): ReactNode {
  if (stepsToReproduce.length === 0 && curl === null) return null;
  return (
    <Section title="Reproduce">
      {stepsToReproduce.length > 0 && (
        <List type="ordered" size="sm">
          {stepsToReproduce.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be the same, and their order never changes.
            <List.Item key={index}>
              <Words text={step} />
            </List.Item>
          ))}
        </List>
      )}
      {curl !== null && <CodeBlock text={curl} label="Copy as cURL" />}
    </Section>
  );
}

/** Steps through the findings of the run, worst first, by buttons and by `j` and `k`. */
function Pager({ runId, findingId }: { runId: string; findingId: string }): ReactNode {
  const accountId = useAccountId();
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const { data: findings = [] } = useAllPages(
    'listPentestFindings',
    { accountId, id: runId },
    (answer) => answer.findings,
  );
  const index = findings.findIndex(({ id }) => id === findingId);
  const go = (step: number) => {
    const other = findings[index + step];
    if (other && index >= 0) navigate({ href: screenPath(`runs/${runId}/findings/${other.id}`) });
  };
  usePageKeys({ j: () => go(1), k: () => go(-1), ']': () => go(1), '[': () => go(-1) });
  return (
    <Group gap="xs">
      <Anchor component={Link} to={screenPath(`runs/${runId}`) as '/'} size="sm">
        All findings of the run
      </Anchor>
      {index >= 0 && (
        <>
          <Button
            size="xs"
            variant="default"
            disabled={index === 0}
            onClick={() => go(-1)}
            aria-label="Previous finding"
          >
            ‹
          </Button>
          <Text size="sm">
            {index + 1} of {findings.length}
          </Text>
          <Button
            size="xs"
            variant="default"
            disabled={index === findings.length - 1}
            onClick={() => go(1)}
            aria-label="Next finding"
          >
            ›
          </Button>
        </>
      )}
    </Group>
  );
}
