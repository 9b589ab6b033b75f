import { Badge, VisuallyHidden } from '@mantine/core';
import type { Confidence, Severity } from '@sortie/contract';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

const looks: Readonly<Record<Severity, { word: string; icon: IconName }>> = {
  CRITICAL: { word: 'Critical', icon: 'critical' },
  HIGH: { word: 'High', icon: 'high' },
  MEDIUM: { word: 'Medium', icon: 'medium' },
  LOW: { word: 'Low', icon: 'low' },
  INFO: { word: 'Info', icon: 'info' },
};

/** Never color alone: the word and the icon say the same. A count has the word where the pointer rests. */
export function SeverityLabel({ severity, count }: { severity: Severity; count?: number }): ReactNode {
  const { word, icon } = looks[severity] ?? { word: severity, icon: 'info' };
  return (
    <span className="severity" data-severity={severity} {...(count !== undefined && { title: `${count} ${word}` })}>
      <Icon name={icon} />
      {count ?? word}
      {count !== undefined && <VisuallyHidden component="span"> {word}</VisuallyHidden>}
    </span>
  );
}

const word = (value: string) => value.charAt(0) + value.slice(1).toLowerCase();

/** A severity or confidence as the choice of a filter. */
export const inWords = (value: string): { value: string; label: string } => ({ value, label: word(value) });

export function ConfidenceBadge({ confidence }: { confidence: Confidence }): ReactNode {
  return (
    <Badge variant="default" tt="none" fw={500}>
      {word(confidence)}
    </Badge>
  );
}
