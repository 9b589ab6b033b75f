import type { Nonce } from '../experiment.ts';
import { numberOf } from './placeholders.ts';

const SECONDS = [0, 0, 1, 1, 3, 4];
/** What the added requests ask for, which no interpreter should obey. */
export const LONGEST_DELAY = 4;
/** Of the sum by which delays and their positions vary together: in the order of size, it is 14.5. */
const MOST_ALIKE = 5;

/** All orders in which the delays do not grow or shrink with time. */
const ORDERS = ordersOf(SECONDS).filter((order) => Math.abs(trendOf(order)) < MOST_ALIKE);

/** Returns the seconds of the six requests, in an order that is random for each execution: a planner cannot prepare the target for it. */
export function delaysOf(nonce: Nonce): readonly number[] {
  return ORDERS[(numberOf(nonce, 3) * numberOf(nonce, 4)) % ORDERS.length] ?? SECONDS;
}

function ordersOf(values: readonly number[]): number[][] {
  if (values.length === 0) return [[]];
  return [...new Set(values)].flatMap((first) =>
    ordersOf(values.toSpliced(values.indexOf(first), 1)).map((rest) => [first, ...rest]),
  );
}

function trendOf(order: readonly number[]): number {
  return order.reduce((sum, seconds, index) => sum + (index - (order.length - 1) / 2) * seconds, 0);
}
