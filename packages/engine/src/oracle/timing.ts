import type { Exchange } from '../http/exchange/exchange.ts';
import { isRefused } from './refusal.ts';

/** Requested delay and measured response time. */
interface Timed {
  seconds: number;
  tookMs: number;
}

/** Long and short delays alternate, so that a target that keeps getting slower is not mistaken for one that obeys. */
export const DELAYS = {
  none: { label: 'no delay', seconds: 0 },
  one: { label: 'delay of one second', seconds: 1 },
  three: { label: 'delay of three seconds', seconds: 3 },
  oneAgain: { label: 'one second again', seconds: 1 },
  four: { label: 'delay of four seconds', seconds: 4 },
  noneAgain: { label: 'no delay again', seconds: 0 },
} as const;
export type Delay = keyof typeof DELAYS;

/** Tolerates an inaccurate clock. */
const EARLY = 0.95;
const LEAST_FIT = 0.9;
const MOST_SLOPE_ERROR = 0.25;
/** A target that takes this long without a delay cannot be measured. */
const SLOW_MS = 2_000;

/** Returns whether the response times grow with the requested delays, second by second, and are short without one. */
export function isProportional(timed: readonly Timed[]): boolean {
  const isEarly = timed.some(({ seconds, tookMs }) => tookMs < seconds * 1_000 * EARLY);
  const idle = timed.filter(({ seconds }) => seconds === 0).map(({ tookMs }) => tookMs);
  const busy = timed.filter(({ seconds }) => seconds > 0).map(({ tookMs }) => tookMs);
  if (isEarly || idle.length === 0 || busy.length < 3) return false;
  if (Math.max(...idle) >= Math.min(SLOW_MS, ...busy)) return false;
  const { slope, fit } = regress(timed.map(({ seconds, tookMs }) => [seconds, tookMs / 1_000]));
  return fit > LEAST_FIT && Math.abs(slope - 1) < MOST_SLOPE_ERROR;
}

/** Linear regression by least squares: returns the slope and the coefficient of determination (R²). */
function regress(pairs: readonly (readonly [number, number])[]): { slope: number; fit: number } {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(pairs.map(([x]) => x)), mean(pairs.map(([, y]) => y))];
  const xx = mean(pairs.map(([x]) => (x - meanX) ** 2));
  const yy = mean(pairs.map(([, y]) => (y - meanY) ** 2));
  const xy = mean(pairs.map(([x, y]) => (x - meanX) * (y - meanY)));
  return { slope: xy / xx, fit: xy ** 2 / (xx * yy) };
}

/** Judges the responses to `DELAYS`. Returns `VOID` if one is refused or was not timed. */
export function judgeTiming(answers: Readonly<Record<Delay, Exchange>>): 'PROVED' | 'REFUTED' | 'VOID' {
  return judgeDelays(Object.entries(DELAYS).map(([key, { seconds }]) => [seconds, answers[key as Delay]]));
}

/** Like `judgeTiming`, for delays in any order. */
export function judgeDelays(answers: readonly (readonly [seconds: number, Exchange])[]): 'PROVED' | 'REFUTED' | 'VOID' {
  const exchanges = answers.map(([, exchange]) => exchange);
  const idle = answers.find(([seconds]) => seconds === 0)?.[1];
  if (isRefused(exchanges, [idle])) return 'VOID';
  const timed: Timed[] = [];
  for (const [seconds, { firstByteMs }] of answers) {
    if (firstByteMs === null) return 'VOID';
    timed.push({ seconds, tookMs: firstByteMs });
  }
  return isProportional(timed) ? 'PROVED' : 'REFUTED';
}

/** Returns whether the response took at least as long as requested, as a first screening. */
export function isDelayed({ response, firstByteMs }: Exchange, seconds: number): boolean {
  return response !== null && firstByteMs !== null && firstByteMs >= seconds * 1_000 * EARLY;
}
