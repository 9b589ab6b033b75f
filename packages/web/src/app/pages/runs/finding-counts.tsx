import { Anchor, Group, Text } from '@mantine/core';
import { type FindingCounts, severities } from '@sortie/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SeverityLabel } from '../../look/severity.tsx';

interface CountsProps {
  counts: FindingCounts | null;
  /** The list whose rows are counted. */
  listPath: string;
}

/** The number of findings of each severity; each number leads to the findings it counts. */
export function FindingCountsLine({ counts, listPath }: CountsProps): ReactNode {
  if (counts === null) return <Text size="sm">Not released</Text>;
  const found = severities.filter((severity) => counts[countName(severity)] > 0);
  if (found.length === 0) return <Text size="sm">No findings</Text>;
  return (
    <Group gap="xs" className="counts">
      {found.map((severity) => (
        <Anchor key={severity} component={Link} to={listPath as '/'} search={{ severity } as never} size="sm">
          <SeverityLabel severity={severity} count={counts[countName(severity)]} />
        </Anchor>
      ))}
    </Group>
  );
}

const countName = (severity: string) => severity.toLowerCase() as keyof FindingCounts;
