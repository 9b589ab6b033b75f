import { Alert, Text } from '@mantine/core';
import type { Pentest } from '@sortie/contract';
import type { ReactNode } from 'react';
import { counted } from '../../look/format.ts';
import { ScreenLink } from '../../shell/screen-link.tsx';

/** Why a run does not go on by itself, and what a person can do about it. */
export function Halted({ run: { status, credits } }: { run: Pentest }): ReactNode {
  if (status !== 'PAUSED' && status !== 'AWAITING_PAYMENT') return null;
  const isPaused = status === 'PAUSED';
  return (
    <Alert
      color="orange"
      variant="outline"
      c="inherit"
      title={isPaused ? 'Paused: the run has used its credits' : 'The run waits for a payment'}
    >
      <Text size="sm" maw={700}>
        Nothing is being tested, and the run does not continue by itself: this service takes no payments.{' '}
        {isPaused
          ? `Cancel the run to end it: the work done so far is charged, and the rest of the ${counted(credits.reserved ?? 0, 'held credit')} is returned. `
          : 'Cancel the run to end it: no credits are held for it, and nothing is charged. '}
        To test the target completely, <ScreenLink to="runs/new">start a new run</ScreenLink>.
      </Text>
    </Alert>
  );
}
