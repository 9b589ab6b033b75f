import { Group, Text } from '@mantine/core';
import type { Pentest } from '@sortie/contract';
import type { ReactNode } from 'react';
import { Icon } from '../../look/icons.tsx';
import { phaseName, phases } from '../runs/status.ts';

/** The phases of a run, with the present one. Says nothing about a run whose status is unknown. */
export function Phases({ run: { status } }: { run: Pentest }): ReactNode {
  const present = (phases as readonly string[]).indexOf(status);
  if (present < 0) return null;
  return (
    <Group component="ol" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Phases">
      {phases.map((phase, index) => (
        <Group
          key={phase}
          component="li"
          gap={4}
          c={index > present ? 'dimmed' : 'bright'}
          {...(index === present && { 'aria-current': 'step' as const })}
        >
          {index < present && <Icon name="check" />}
          <Text size="sm" fw={index === present ? 700 : 400} td={index === present ? 'underline' : 'none'}>
            {phaseName(phase)}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
