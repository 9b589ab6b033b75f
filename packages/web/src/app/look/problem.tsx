import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, cureOf, needsFreshSession } from '../api/errors.ts';

/** What happened, what to do, and the code to quote. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  const message = error instanceof Error ? error.message : 'Something went wrong.';
  return (
    <Alert color="red" variant="outline" role="alert" title={message} c="inherit">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{cureOf(error)}</Text>
        <Group gap="sm">
          {onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          )}
          {needsFreshSession(error) && <SignInAgain />}
          {error instanceof ApiError && <Code>{error.code}</Code>}
        </Group>
      </Stack>
    </Alert>
  );
}

/** Leads back to this page afterwards. */
function SignInAgain(): ReactNode {
  const { href } = useLocation();
  return (
    <Button size="xs" variant="default" component={Link} to="/sign-in" search={{ to: href } as never}>
      Sign in again
    </Button>
  );
}

/** Instead of a screen that cannot be shown. */
export function ProblemPage({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  return (
    <Stack maw={640} mx="auto" my="xl" px="md">
      <Problem error={error} {...(onRetry && { onRetry })} />
    </Stack>
  );
}
