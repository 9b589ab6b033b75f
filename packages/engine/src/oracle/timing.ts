import type { Exchange } from '../http/exchange/exchange.ts';
import { isRefused } from './refusal.ts';

/** How long an answer was told to take, and how long it took. */
interface Timed {
  seconds: number;
  tookMs: number;
}

/** Long and short ones alternate, so that a target which becomes slower and slower is not taken for one that obeys. */
export const DELAYS = [
  { label: 'no delay', seconds: 0 },
  { label: 'delay of one second', seconds: 1 },
  { label: 'delay of three seconds', seconds: 3 },
  { label: 'one second again', seconds: 1 },
  { label: 'delay of four seconds', seconds: 4 },
  { label: 'no delay again', seconds: 0 },
] as const;

/** Less than a clock that is not quite right. */
const EARLY = 0.95;
const LEAST_FIT = 0.9;
const MOST_SLOPE_ERROR = 0.25;
/** A target that needs as long by itself cannot be measured with these delays. */
const SLOW_MS = 2_000;

/** The time must be what was asked for, and nothing but that: second by second, and none without a delay. */
export function isProportional(timed: readonly Timed[]): boolean {
  const isEarly = timed.some(({ seconds, tookMs }) => tookMs < seconds * 1_000 * EARLY);
  const idle = timed.filter(({ seconds }) => seconds === 0).map(({ tookMs }) => tookMs);
  const busy = timed.filter(({ seconds }) => seconds > 0).map(({ tookMs }) => tookMs);
  if (isEarly || idle.length === 0 || busy.length < 3) return false;
  if (Math.max(...idle) >= Math.min(SLOW_MS, ...busy)) return false;
  const { slope, fit } = regress(timed.map(({ seconds, tookMs }) => [seconds, tookMs / 1_000]));
  return fit > LEAST_FIT && Math.abs(slope - 1) < MOST_SLOPE_ERROR;
}

/** Least squares: by how much the second grows with the first, and which part of it that explains. */
function regress(pairs: readonly (readonly [number, number])[]): { slope: number; fit: number } {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(pairs.map(([x]) => x)), mean(pairs.map(([, y]) => y))];
  const xx = mean(pairs.map(([x]) => (x - meanX) ** 2));
  const yy = mean(pairs.map(([, y]) => (y - meanY) ** 2));
  const xy = mean(pairs.map(([x, y]) => (x - meanX) * (y - meanY)));
  return { slope: xy / xx, fit: xy ** 2 / (xx * yy) };
}

/** Of answers to the delays above. */
export function judgeTiming(answers: ReadonlyMap<string, Exchange>): 'PROVED' | 'REFUTED' | 'VOID' {
  const timed: Timed[] = [];
  const [first] = DELAYS;
  if (isRefused([...answers.values()], [answers.get(first.label)])) return 'VOID';
  for (const { label, seconds } of DELAYS) {
    const exchange = answers.get(label);
    if (!exchange?.response || exchange.firstByteMs === null) return 'VOID';
    timed.push({ seconds, tookMs: exchange.firstByteMs });
  }
  return isProportional(timed) ? 'PROVED' : 'REFUTED';
}

/** What a first look needs: whether an answer took at least as long as it was told. */
export function isDelayed({ response, firstByteMs }: Exchange, seconds: number): boolean {
  return response !== null && firstByteMs !== null && firstByteMs >= seconds * 1_000 * EARLY;
}
