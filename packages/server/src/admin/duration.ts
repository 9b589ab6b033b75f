const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** A hundred years: nothing in the service lasts longer, and every resulting date stays valid. */
const LONGEST = 36_500 * SECONDS.d;

/** Returns the seconds of `125s`, `5m`, `24h` or `30d`; undefined for anything else, also if zero or too large. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,10})([smhd])$/.exec(text) ?? [];
  if (!count || !unit) return undefined;
  const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS];
  return seconds > 0 && seconds <= LONGEST ? seconds : undefined;
}
