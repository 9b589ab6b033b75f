export interface Period {
  value: string;
  label: string;
  hours: number | null;
}

export const expiries: readonly Period[] = [
  { value: '30d', label: 'In 30 days', hours: 30 * 24 },
  { value: '90d', label: 'In 90 days', hours: 90 * 24 },
  { value: '365d', label: 'In a year', hours: 365 * 24 },
  { value: 'never', label: 'Never', hours: null },
];

export const overlaps: readonly Period[] = [
  { value: '1h', label: 'In an hour', hours: 1 },
  { value: '1d', label: 'In a day', hours: 24 },
  { value: '7d', label: 'In 7 days', hours: 7 * 24 },
];

/** The end of a chosen period, or null if it has none. */
export function endOf(periods: readonly Period[], chosen: string, now: number): string | null {
  const period = periods.find(({ value }) => value === chosen);
  if (!period) throw new Error(`no period is called ${chosen}`);
  return period.hours === null ? null : new Date(now + period.hours * 3_600_000).toISOString();
}
