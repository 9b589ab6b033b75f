import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { PendingDeviceLogin, Permission } from '@sortie/contract';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { formatTime } from '../../look/format.ts';
import { Problem } from '../../look/problem.tsx';
import { preferredAccount } from '../../shell/preferred-account.ts';
import { useMe } from '../../shell/use-account.ts';
import { endOf, expiries } from '../settings/keys/period.ts';
import { Frame } from '../sign-in/frame.tsx';

interface DecisionProps {
  code: string;
  program: PendingDeviceLogin;
  onDecided(outcome: 'approved' | 'denied'): void;
}

/** Shows the program and what it would get, with the choice of account, permissions and expiry. */
export function Decision({ code, program, onDecided }: DecisionProps): ReactNode {
  const me = useMe();
  const [accountId, setAccountId] = useState(preferredAccount(me)?.id ?? '');
  const account = me.accounts.find(({ id }) => id === accountId);
  const [refused, setRefused] = useState<readonly Permission[]>([]);
  const [expiry, setExpiry] = useState('90d');
  const permissions = (account?.permissions ?? []).filter((each) => !refused.includes(each));
  const approval = useMutation({
    mutationFn: () =>
      call('approveDeviceLogin', {
        params: { accountId },
        body: { userCode: code, permissions, expiresAt: endOf(expiries, expiry, Date.now()) },
      }),
    onSuccess: () => onDecided('approved'),
  });
  const denial = useMutation({
    mutationFn: () => call('denyDeviceLogin', { params: {}, body: { userCode: code } }),
    onSuccess: () => onDecided('denied'),
  });
  const error = approval.error ?? denial.error;
  return (
    <Frame title="Give this program an API key?">
      <Stack gap="md">
        <Text size="sm">
          <b>{program.name}</b> asks from {program.address}, since {formatTime(program.createdAt)}. The name is what the
          program says of itself.
        </Text>
        <Alert color="yellow" variant="outline" c="inherit" title="Did you start it yourself?">
          <Text size="sm">Deny if another person sent you this code: the key would let them act as you.</Text>
        </Alert>
        <NativeSelect
          label="Account"
          data={me.accounts.filter(({ suspended }) => !suspended).map(({ id, name }) => ({ value: id, label: name }))}
          value={accountId}
          onChange={(event) => setAccountId(event.currentTarget.value)}
        />
        <Checkbox.Group
          label="Permissions"
          description="Those of your role; the key can do no more than you can."
          value={permissions}
          onChange={(chosen) => setRefused((account?.permissions ?? []).filter((each) => !chosen.includes(each)))}
        >
          <Stack gap="xs" mt="xs">
            {(account?.permissions ?? []).map((permission) => (
              <Checkbox key={permission} value={permission} label={permission} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label="Expires"
          data={expiries.map(({ value, label }) => ({ value, label }))}
          value={expiry}
          onChange={(event) => setExpiry(event.currentTarget.value)}
        />
        {error && <Problem error={error} />}
        <Group justify="space-between">
          <Button variant="default" loading={denial.isPending} onClick={() => denial.mutate()}>
            Deny
          </Button>
          <Button
            disabled={permissions.length === 0 || !account}
            loading={approval.isPending}
            onClick={() => approval.mutate()}
          >
            Approve
          </Button>
        </Group>
      </Stack>
    </Frame>
  );
}
