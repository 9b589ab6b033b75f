import { confidences, type PentestFindingDetails, severities } from '@sortie/contract';
import { type Column, rankIn } from '../../list/columns.ts';
import { ConfidenceBadge, SeverityLabel } from '../../look/severity.tsx';
import { Words } from '../../look/words.tsx';

type Shown = Pick<PentestFindingDetails, 'title' | 'severity' | 'confidence'>;

/** The columns of every list of findings of pentests. */
export const titleColumn: Column<Pick<Shown, 'title'>> = {
  id: 'title',
  title: 'Finding',
  value: ({ title }) => title,
  cell: ({ title }) => <Words text={title} />,
};

export const severityColumn: Column<Pick<Shown, 'severity'>> = {
  id: 'severity',
  title: 'Severity',
  value: ({ severity }) => severity,
  sortBy: ({ severity }) => rankIn(severities, severity),
  cell: ({ severity }) => <SeverityLabel severity={severity} />,
};

export const confidenceColumn: Column<Pick<Shown, 'confidence'>> = {
  id: 'confidence',
  title: 'Confidence',
  value: ({ confidence }) => confidence,
  sortBy: ({ confidence }) => rankIn(confidences, confidence),
  cell: ({ confidence }) => <ConfidenceBadge confidence={confidence} />,
};
