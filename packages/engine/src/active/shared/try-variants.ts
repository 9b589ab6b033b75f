import { shows } from '../../oracle/computed.ts';
import { isDelayed } from '../../oracle/timing.ts';
import type { Asking, Point } from '../define-active-check.ts';
import { requestWith } from '../insertion-point.ts';

/** Resolves to the first variant whose response shows the computed value, or to an empty list. */
export async function firstToShow<Variant>(
  variants: readonly Variant[],
  expected: string | RegExp,
  write: (variant: Variant) => string,
  { point, ask, isRaw }: { point: Point; isRaw?: boolean } & Pick<Asking, 'ask'>,
): Promise<Variant[]> {
  for (const variant of variants) {
    if (shows(await ask(requestWith(point, write(variant), isRaw)), expected)) return [variant];
  }
  return [];
}

const LOOK_SECONDS = 2;

/** Resolves to the first variant that delays the response, but not with a delay of zero, or to an empty list. */
export async function firstToWait<Variant extends (seconds: number) => string>(
  variants: readonly Variant[],
  { point, ask }: { point: Point } & Pick<Asking, 'ask'>,
): Promise<Variant[]> {
  const { value } = point.parameter;
  const isLate = async (text: string) => isDelayed(await ask(requestWith(point, text)), LOOK_SECONDS);
  if (await isLate(value)) return [];
  for (const variant of variants) {
    const waits = await isLate(`${value}${variant(LOOK_SECONDS)}`);
    if (waits && !(await isLate(`${value}${variant(0)}`))) return [variant];
  }
  return [];
}
