export type ShowTime = (timestamp: string | null) => string | null;

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Returns a function that formats API timestamps as `3 minutes ago`, or leaves them unchanged if `isUtc`. */
export function createShowTime(isUtc: boolean, now = Date.now()): ShowTime {
  return (timestamp) => {
    const seconds = (Date.parse(timestamp ?? '') - now) / 1000;
    if (timestamp === null || isUtc || Number.isNaN(seconds)) return timestamp;
    const [unit, size] = UNITS.find((each) => Math.abs(seconds) >= each[1]) ?? ['second', 1];
    return words.format(Math.trunc(seconds / size), unit);
  };
}
