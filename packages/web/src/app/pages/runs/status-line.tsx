import { Box, Group, Loader, Text } from '@mantine/core';
import type { Pentest } from '@sortie/contract';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../look/icons.tsx';
import { describeRun, type Tone } from './status.ts';

const looks: Readonly<Record<Tone, { icon: IconName; color: string }>> = {
  pass: { icon: 'check', color: 'var(--pass)' },
  progress: { icon: 'run', color: 'inherit' },
  waiting: { icon: 'clock', color: 'var(--severity-medium)' },
  failed: { icon: 'cross', color: 'var(--severity-high)' },
  neutral: { icon: 'cross', color: 'var(--mantine-color-dimmed)' },
};

/** What a run does, and on a line of its own what its credits do. */
export function StatusLine({ run, isRejected }: { run: Pentest; isRejected?: boolean | undefined }): ReactNode {
  const { tone, status, detail } = describeRun(run, isRejected);
  const { icon, color } = looks[tone];
  return (
    <div className="status-line">
      <Group gap={6} wrap="nowrap" c={color} align="flex-start">
        <Box lh={0} mt={3}>
          {tone === 'progress' ? <Loader size={14} aria-hidden="true" color="gray" /> : <Icon name={icon} size={15} />}
        </Box>
        <Text size="sm" fw={600} inherit>
          {status}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {detail}
      </Text>
    </div>
  );
}
