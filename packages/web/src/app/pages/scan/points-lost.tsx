import { Group, Stack, Text } from '@mantine/core';
import type { Scan } from '@sortie/contract';
import type { ReactNode } from 'react';
import { useAllPages } from '../../api/queries.ts';
import { counted } from '../../look/format.ts';
import { groupName } from '../../look/group-name.ts';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { lossesOf } from './losses.ts';

/** Why the score is not 100: the points that each group has cost, as bars that lead to its failed checks. */
export function PointsLost({ scan }: { scan: Scan }): ReactNode {
  const accountId = useAccountId();
  const { data } = useAllPages('listScanFindings', { accountId, id: scan.id }, (answer) => answer.findings);
  const losses = lossesOf(data ?? []);
  if (losses.length === 0) return null;
  const most = Math.max(1, ...losses.map(({ points }) => points));
  return (
    <Stack gap={6} className="points-lost">
      <Text size="sm" fw={600}>
        Points lost by group
      </Text>
      {losses.map(({ group, points, failed }) => (
        <div key={group}>
          <Text size="sm" className="short">
            <ScreenLink to={`scans/${scan.id}?group=${group}`}>{groupName(group)}</ScreenLink>
          </Text>
          <span className="bar" aria-hidden="true">
            <span style={{ width: `${(points / most) * 100}%` }} />
          </span>
          <Group gap={6} wrap="nowrap" className="short">
            <Text size="sm" fw={600}>
              {points === 0 ? '0' : `−${points}`}
            </Text>
            <Text size="xs" c="dimmed">
              {counted(failed, 'failed check')}
            </Text>
          </Group>
        </div>
      ))}
    </Stack>
  );
}
