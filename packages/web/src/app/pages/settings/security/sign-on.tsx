import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { serviceQuery, useCall, useChange } from '../../../api/queries.ts';
import { explainSignOn, startSignOn } from '../../../api/sign-on.ts';
import { Confirm } from '../../../look/confirm.tsx';
import { Problem } from '../../../look/problem.tsx';
import { Section } from '../../../look/section.tsx';

/** Nothing without single sign-on. */
export function SignOn(): ReactNode {
  const { data: service } = useQuery(serviceQuery);
  return service?.singleSignOn ? <Connection label={service.singleSignOn.label} /> : null;
}

function Connection({ label }: { label: string }): ReactNode {
  const { data, error } = useCall('getSignOn', {});
  const [isAsking, setIsAsking] = useState(false);
  const disconnect = useChange('disconnectSignOn');
  const connect = useMutation({ mutationFn: () => startSignOn({ to: location.pathname, connect: true }) });
  const problem = explainSignOn(new URLSearchParams(location.search).get('problem') ?? undefined, label);
  const shown = error ?? connect.error;
  return (
    <Section title="Single sign-on">
      {shown && <Problem error={shown} />}
      {problem && !data?.isConnected && (
        <Text size="sm" c="red" role="alert">
          {problem.title} {problem.cure}
        </Text>
      )}
      <Group justify="space-between">
        <Text size="sm">
          {data?.isConnected
            ? `You can sign in with ${label}.`
            : `Connect ${label} to sign in with it, without password and code.`}
        </Text>
        {data?.isConnected ? (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            Disconnect
          </Button>
        ) : (
          <Button variant="default" loading={connect.isPending} onClick={() => connect.mutate()}>
            Connect
          </Button>
        )}
      </Group>
      {isAsking && (
        <Confirm
          title={`Disconnect ${label}`}
          action="Disconnect"
          isPending={disconnect.isPending}
          error={disconnect.error}
          onConfirm={() => disconnect.mutate({ params: {} }, { onSuccess: () => setIsAsking(false) })}
          onClose={() => setIsAsking(false)}
        >
          You sign in with your password or a passkey from then on. Sessions stay.
        </Confirm>
      )}
    </Section>
  );
}
