import { shows } from '../../oracle/computed.ts';
import { DELAYS, type Delay, isDelayed } from '../../oracle/timing.ts';
import type { Asking, Point } from '../define-active-check.ts';
import { at, type PlannedRequest } from '../experiment.ts';
import { requestWith } from '../insertion-point.ts';
import { fill } from './fill.ts';
import { watchBlanks } from './refused-blanks.ts';

/** Resolves to the first variant whose response shows the computed value, or to an empty list. */
export async function firstToShow<Variant>(
  variants: readonly Variant[],
  expected: string | RegExp,
  write: (variant: Variant) => string,
  {
    point,
    ask,
    memory,
    isRaw,
  }: { point: Point; isRaw?: boolean } & Pick<Asking, 'ask'> & Partial<Pick<Asking, 'memory'>>,
): Promise<Variant[]> {
  const blanks = watchBlanks(point, { ask, ...(memory && { memory }) });
  for (const variant of variants) {
    const text = write(variant);
    if (!blanks.isPointless(text) && shows(await blanks.ask(text, isRaw), expected)) return [variant];
  }
  return [];
}

const LOOK_SECONDS = 2;

/** Resolves to the first variant that delays the response by its {seconds}, but not with a delay of zero, or to an empty list. */
export async function firstToWait(
  variants: readonly string[],
  { point, ask }: { point: Point } & Pick<Asking, 'ask'>,
): Promise<string[]> {
  const { value } = point.parameter;
  const isLate = async (text: string) => isDelayed(await ask(requestWith(point, text)), LOOK_SECONDS);
  if (await isLate(value)) return [];
  for (const variant of variants) {
    const waits = await isLate(`${value}${fill(variant, { seconds: LOOK_SECONDS })}`);
    if (waits && !(await isLate(`${value}${fill(variant, { seconds: 0 })}`))) return [variant];
  }
  return [];
}

/** Returns a request for each delay, with the pattern appended to the value. */
export function planDelays(point: Point, pattern: string): Record<Delay, PlannedRequest> {
  const planned = Object.entries(DELAYS).map(([key, { label, seconds }]) => {
    const value = `${point.parameter.value}${fill(pattern, { seconds })}`;
    return [key, at(point, label, value, { isControl: seconds === 0 })] as const;
  });
  return Object.fromEntries(planned) as Record<Delay, PlannedRequest>;
}
