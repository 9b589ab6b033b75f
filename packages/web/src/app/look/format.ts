const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const number = new Intl.NumberFormat('en-US');

export const formatTime = (timestamp: string | null): string =>
  timestamp === null ? '–' : dateTime.format(new Date(timestamp));

export const formatDay = (timestamp: string): string => date.format(new Date(timestamp));

/** The time of day of an instant in milliseconds. */
export const formatClock = (at: number): string => clock.format(at);

export const formatNumber = (value: number): string => number.format(value);

/** The month of an instant in milliseconds, of UTC as budgets and allowances count it: "2026-01". */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** "1 credit", "2 credits". */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`;

export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes === 0) return `${seconds} s`;
  return seconds % 60 > 0 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
}
