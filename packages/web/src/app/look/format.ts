const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const number = new Intl.NumberFormat('en-US');

export const formatTime = (timestamp: string | null): string =>
  timestamp === null ? '–' : dateTime.format(new Date(timestamp));

export const formatNumber = (value: number): string => number.format(value);

/** "1 credit", "2 credits". */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`;
