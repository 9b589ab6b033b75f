import { Group, Text } from '@mantine/core';
import type { Pentest, RunProgress } from '@sortie/contract';
import type { ReactNode } from 'react';
import { counted, formatDuration } from '../../look/format.ts';
import { Icon } from '../../look/icons.tsx';
import { phaseName, phases } from '../runs/status.ts';

interface PhasesProps {
  run: Pentest;
  progress: RunProgress | undefined;
}

/** A phase of some hundred milliseconds took time, too. */
const durationOf = (milliseconds: number) =>
  milliseconds > 0 && milliseconds < 1_000 ? 'under 1 s' : formatDuration(milliseconds);

/** The phases of a run with what each has done, and the present one. An unknown status has no place among them. */
export function Phases({ run: { status }, progress }: PhasesProps): ReactNode {
  const present = (phases as readonly string[]).indexOf(status);
  const done = new Map(progress?.phases.map((each) => [each.phase, each]));
  if (present < 0 && done.size === 0) return null;
  const latest = phases.findLastIndex((phase) => done.has(phase));
  return (
    <Group component="ol" gap="xs" p={0} m={0} className="phases" aria-label="Phases" align="stretch">
      {phases.map((phase, index) => {
        const isPresent = index === present;
        const counts = done.get(phase);
        const isPassed = index < (present < 0 ? latest + 1 : present);
        return (
          <li
            key={phase}
            data-state={isPresent ? 'present' : isPassed ? 'passed' : 'ahead'}
            {...(isPresent && { 'aria-current': 'step' as const })}
          >
            <Group gap={4} wrap="nowrap">
              {isPassed && <Icon name="check" />}
              {isPresent && <Icon name="run" />}
              <Text size="sm" fw={isPresent ? 700 : 500}>
                {phaseName(phase)}
              </Text>
            </Group>
            <Text size="xs" c="dimmed">
              {counts ? `${counted(counts.requests, 'request')}, ${durationOf(counts.milliseconds)}` : '–'}
            </Text>
          </li>
        );
      })}
    </Group>
  );
}
