import type { Asking, Point } from '../active-check.ts';
import { shows } from '../oracle/computed.ts';
import { requestWith } from './point.ts';

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
