/** What could not be gathered, and why, in words for whoever reads the report. */
export interface Missing {
  missing: string;
}

export function isMissing(value: unknown): value is Missing {
  return typeof value === 'object' && value !== null && 'missing' in value;
}
