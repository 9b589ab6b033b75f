import { Box, Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ManagedTarget, OwnershipCheck } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Copy } from '../../look/copy.tsx';
import { formatTime } from '../../look/format.ts';
import { Problem } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { useAccountId, useMay } from '../../shell/use-account.ts';

const places = {
  dns: 'a TXT record of the name',
  file: 'a file that contains nothing else',
  meta: 'a tag in the head of the page that is shown without a login',
};

/** What to publish where, and the checks with what they looked for and saw. */
export function Ownership({ target, mayManage }: { target: ManagedTarget; mayManage: boolean }): ReactNode {
  const accountId = useAccountId();
  const { verificationId, method, proof, lastCheck, canPublish } = target;
  const params = { accountId, verificationId };
  const mayCheck = useMay('pentests:write');
  const check = useChange('checkTarget');
  const publish = useChange('publishTargetProof');
  const isChecking = check.isPending || (lastCheck !== null && lastCheck.state !== 'DONE');
  const error = publish.error ?? check.error;
  return (
    <Section title="Ownership">
      <Text size="sm">{sayState(target)}</Text>
      {proof && method !== 'attestation' && (
        <Stack gap="xs">
          <Text size="sm">Publish this value, exactly as it is, as {places[method]}:</Text>
          <Value name="Where" text={proof.place} />
          <Value name="Value" text={proof.value} />
        </Stack>
      )}
      {proof && mayCheck && (
        <Group gap="sm">
          {canPublish && mayManage && (
            <Button
              loading={publish.isPending}
              onClick={() => publish.mutate({ params }, { onSuccess: () => check.mutate({ params }) })}
            >
              Publish on the demo target and check
            </Button>
          )}
          <Button
            {...(canPublish && { variant: 'default' })}
            onClick={() => check.mutate({ params })}
            loading={isChecking}
          >
            Check now
          </Button>
        </Group>
      )}
      {error && <Problem error={error} />}
      {lastCheck && <CheckResult check={lastCheck} />}
    </Section>
  );
}

function sayState({ method, verified, expiresAt }: ManagedTarget): string {
  if (verified && method === 'attestation')
    return `Attested by the operator of this service until ${formatTime(expiresAt)}.`;
  if (verified)
    return `Verified until ${formatTime(expiresAt)}. Each check that finds the proof renews it for 90 days.`;
  if (expiresAt !== null) return `The verification expired on ${formatTime(expiresAt)}. Check again to renew it.`;
  return 'Not verified yet. Pentests of this target are refused until a check has found the proof.';
}

function Value({ name, text }: { name: string; text: string }): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text size="sm" w={48} style={{ flexShrink: 0 }}>
        {name}
      </Text>
      <Code block style={{ flexGrow: 1, minWidth: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <Box style={{ flexShrink: 0 }}>
        <Copy value={text} />
      </Box>
    </Group>
  );
}

const outcomes: Readonly<Record<string, string>> = {
  FOUND: 'Found',
  NOT_FOUND: 'Not found',
  UNKNOWN: 'Could not look it up',
};

const waiting = {
  WAITING: 'The check waits for a worker.',
  CHECKING: 'A worker is looking.',
  DONE: 'The check is over.',
};

function CheckResult({ check }: { check: OwnershipCheck }): ReactNode {
  const { outcome, checkedAt, message, lookUps, state } = check;
  return (
    <Stack gap={4} role="status">
      {outcome !== null && (
        <Text size="sm" fw={650}>
          {outcomes[outcome] ?? outcome}, {formatTime(checkedAt)}
        </Text>
      )}
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {message ?? waiting[state]}
      </Text>
      {lookUps.map(({ place, seen }) => (
        <Text key={place} size="sm" style={{ overflowWrap: 'anywhere' }}>
          Looked at {place}; saw {seen.length > 0 ? seen.join(', ') : 'nothing there'}.
        </Text>
      ))}
    </Stack>
  );
}
