import { confidences, severities } from '@sortie/contract';

/** Nothing is worse than the first severity, and nothing surer than the first confidence. */
export const orWorse = (severity: string): string => (severity === severities[0] ? severity : `${severity} or worse`);

export const orSurer = (confidence: string): string =>
  confidence === confidences[0] ? confidence : `${confidence} or surer`;
