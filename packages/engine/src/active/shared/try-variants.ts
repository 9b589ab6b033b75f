import { shows } from '../../oracle/computed.ts';
import { isDelayed } from '../../oracle/timing.ts';
import type { Asking, Point } from '../define-active-check.ts';
import { requestWith } from '../insertion-point.ts';

/** The first variant, tried once each, whose answer shows what only the flaw can compute; none if there is none. */
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

/** The first variant that makes the target wait, and does not when it is told to wait for nothing; none if there is none. */
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
