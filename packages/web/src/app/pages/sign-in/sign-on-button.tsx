import { Alert, Button, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { cureOf } from '../../api/errors.ts';
import { serviceQuery } from '../../api/queries.ts';
import { safeReturnPath } from '../../api/return-path.ts';
import { explainSignOn, startSignOn } from '../../api/sign-on.ts';

/** Nothing without single sign-on. Shows why the latest attempt has failed, if it has. */
export function SignOnButton(): ReactNode {
  const { data: service } = useQuery(serviceQuery);
  const { to, problem } = useSearch({ from: '/sign-in' });
  const start = useMutation({ mutationFn: () => startSignOn({ to: safeReturnPath(to, location.origin) }) });
  if (!service?.singleSignOn) return null;
  const { label } = service.singleSignOn;
  const explained = start.error
    ? { title: start.error.message, cure: cureOf(start.error) }
    : explainSignOn(problem, label);
  return (
    <Stack>
      {explained && (
        <Alert color="red" variant="outline" role="alert" title={explained.title}>
          {explained.cure}
        </Alert>
      )}
      <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
        Sign in with {label}
      </Button>
    </Stack>
  );
}
