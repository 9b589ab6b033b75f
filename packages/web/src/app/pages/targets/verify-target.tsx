import { Box, Button, Code, Group, Modal, Stack, Switch, Text } from '@mantine/core';
import type { ManagedTarget, OwnershipCheck } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Copy } from '../../look/copy.tsx';
import { formatTime } from '../../look/format.ts';
import { Problem } from '../../look/problem.tsx';
import { useAccount, useAccountId, useMay } from '../../shell/use-account.ts';

interface VerifyTargetProps {
  target: ManagedTarget;
  onClose(): void;
}

const places = { dns: 'a TXT record of the name', file: 'a file at the address', meta: 'the head of the page' };

/** What to publish where, the check with what it saw, and the API switch of a target. */
export function VerifyTarget({ target, onClose }: VerifyTargetProps): ReactNode {
  const accountId = useAccountId();
  const { verificationId, method, proof } = target;
  const params = { accountId, verificationId };
  const role = useAccount()?.role;
  const mayManage = role === 'OWNER' || role === 'ADMIN';
  const mayCheck = useMay('pentests:write');
  const check = useChange('checkTarget');
  const setApiRuns = useChange('setTargetApiRuns');
  return (
    <Modal opened onClose={onClose} size="lg" title={target.origin} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <Text>{target.verified ? `Verified until ${formatTime(target.expiresAt)}.` : 'Not verified yet.'}</Text>
        <Group gap="xs">
          <Text size="sm">Verification id</Text>
          <Value text={verificationId} />
        </Group>
        {proof && method !== 'attestation' && (
          <Stack gap="xs">
            <Text size="sm">Publish this value as {places[method]}, exactly as it is:</Text>
            <Value text={proof.place} />
            <Value text={proof.value} />
          </Stack>
        )}
        {target.lastCheck && <CheckResult check={target.lastCheck} />}
        {(check.error || setApiRuns.error) && <Problem error={check.error ?? setApiRuns.error} />}
        {proof && mayCheck && (
          <Button
            onClick={() => check.mutate({ params })}
            loading={check.isPending || target.lastCheck?.state === 'CHECKING'}
          >
            Check now
          </Button>
        )}
        <Switch
          label="API runs"
          description="Whether API keys and pipelines may start pentests of this target."
          checked={target.apiRuns}
          disabled={!mayManage}
          onChange={(event) => setApiRuns.mutate({ params, body: { apiRuns: event.currentTarget.checked } })}
        />
      </Stack>
    </Modal>
  );
}

function Value({ text }: { text: string }): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code block style={{ flexGrow: 1, minWidth: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <Box style={{ flexShrink: 0 }}>
        <Copy value={text} />
      </Box>
    </Group>
  );
}

const waiting = {
  WAITING: 'The check waits for a worker.',
  CHECKING: 'A worker is looking.',
  DONE: 'The check is over.',
};

function CheckResult({ check }: { check: OwnershipCheck }): ReactNode {
  return (
    <Stack gap={4} role="status">
      <Text size="sm">{check.message ?? waiting[check.state]}</Text>
      {check.lookUps.map(({ place, seen }) => (
        <Text key={place} size="sm" style={{ overflowWrap: 'anywhere' }}>
          Looked at {place}: {seen.length > 0 ? seen.join(', ') : 'nothing there'}
        </Text>
      ))}
    </Stack>
  );
}
