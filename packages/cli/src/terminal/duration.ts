import { usageError } from './command-error.ts';

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `90s`, `45m` or `6h` to milliseconds; a bare number is seconds. */
export function readDuration(name: string, text: string, most: number): number {
  const match = /^(\d{1,9})(ms|s|m|h|d)?$/.exec(text.trim());
  const milliseconds = Number(match?.[1]) * units[(match?.[2] ?? 's') as keyof typeof units];
  if (match && milliseconds <= most) return milliseconds;
  throw usageError(`${name} must be a duration such as 90s, 45m or 6h, at most ${durationText(most)}: ${text}`);
}

/** Formats a duration as `45m`, `2h 5m` or `12s`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (milliseconds < 1_000) return `${Math.round(milliseconds)}ms`;
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .slice(0, 2)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
}

/** Formats a duration as `0:09`, `12:30` or `1:02:03`. */
export function clockText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  const two = (count: number) => String(count).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
