import { z } from 'zod';
import { listOf } from './query.ts';

/** All severities, worst first. */
export const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
export type Severity = (typeof severities)[number];
export const Severity = z.enum(severities).describe('How severe the finding is.').meta({ id: 'Severity' });

/** All degrees of confidence, surest first. */
export const confidences = ['CONFIRMED', 'FIRM', 'TENTATIVE'] as const;
export type Confidence = (typeof confidences)[number];
export const Confidence = z.enum(confidences).describe('How certain the finding is.').meta({ id: 'Confidence' });

export const severityQuery = listOf(
  severities.map((severity) => severity.toLowerCase()),
  (word) => word.toUpperCase() as Severity,
).describe(
  'Only findings of these severities, written in lowercase and separated by commas, or the parameter repeated.',
);
