import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { LOGIN_TRIES } from '@sortie/contract';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { formatDuration } from '../../look/format.ts';
import { Icon } from '../../look/icons.tsx';
import { Problem } from '../../look/problem.tsx';
import { useNow } from '../../look/use-now.ts';
import { useAccountId } from '../../shell/use-account.ts';
import type { TestAccount, Tested } from './test-account.ts';

interface LoginTryProps {
  account: TestAccount;
  tested: Tested;
  children: ReactNode;
}

/** Tries the login of a test account before anything is paid. */
export function LoginTry({ account, tested, children }: LoginTryProps): ReactNode {
  const accountId = useAccountId();
  const login = useChange('tryLogin');
  const [startedAt, setStartedAt] = useState(0);
  const now = useNow(login.isPending);
  const { verificationId, targetUrl } = tested;
  const request = JSON.stringify([tested, account]);
  const [triedRequest, setTriedRequest] = useState('');
  // What was found out holds for what was tried only.
  const isCurrent = request === triedRequest;
  const isReady = account.name !== '' && (account.pass !== '' || account.kind === 'BASIC_AUTH');
  const begin = () => {
    setStartedAt(Date.now());
    setTriedRequest(request);
    login.mutate({ params: { accountId, verificationId }, body: { targetUrl, credential: account } });
  };
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button variant="default" size="xs" disabled={!isReady || login.isPending} onClick={begin}>
          Try the login
        </Button>
        {children}
        <Text size="xs" c="dimmed">
          Free, {LOGIN_TRIES.requests} an hour for a target. A wrong password counts as a failed login at the target.
        </Text>
      </Group>
      <div aria-live="polite">
        {login.isPending && (
          <Group gap="xs">
            <Loader size="xs" aria-hidden="true" />
            <Text size="sm">Logging in as a run would: {formatDuration(now - startedAt)} of at most 2 min</Text>
          </Group>
        )}
        {login.data && isCurrent && !login.isPending && <Outcome {...login.data} />}
      </div>
      {login.error && isCurrent && <Problem error={login.error} />}
    </Stack>
  );
}

function Outcome({ loggedIn, message }: { loggedIn: boolean; message: string }): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <span className="severity" data-severity={loggedIn ? 'PASS' : 'HIGH'}>
        <Icon name={loggedIn ? 'check' : 'cross'} /> {loggedIn ? 'Works' : 'Did not work'}
      </span>
      <Text size="sm">{message}</Text>
    </Group>
  );
}
