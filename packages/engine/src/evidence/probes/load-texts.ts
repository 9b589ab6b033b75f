import { isBlocked } from '../blocked.ts';
import { isMissing, type Missing } from '../missing.ts';
import { ask, atOnce, BLOCKED, type ProbeAnswer, type ProbeSender } from './ask.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

/** A resource loaded like in a browser. */
export interface LoadedText extends ProbeAnswer {
  /** Whether the body was truncated. */
  isCut: boolean;
}

interface LoadLimits {
  /** Limit per resource. */
  bytes: number;
  /** Limit for all resources together. */
  allBytes: number;
}

const TOO_MUCH: Missing = { missing: 'Not loaded: the scan reached its download limit.' };

/** Loads each URL once, in order. Stops as soon as the site limits the rate. */
export async function loadTexts(
  sender: ProbeSender,
  urls: readonly string[],
  limits: LoadLimits,
): Promise<(LoadedText | Missing)[]> {
  const loaded: (LoadedText | Missing)[] = [];
  const waiting = urls.entries();
  const breaker = createCircuitBreaker();
  const pool = createPool(limits);

  async function load(url: string): Promise<LoadedText | Missing> {
    const most = await pool.take();
    const ended = breaker.openReason();
    const answer = await askFor(url, most, ended);
    pool.giveBack(most, isMissing(answer) ? 0 : answer.body.length);
    breaker.record(answer);
    if (isMissing(answer)) return answer;
    return isBlocked(answer) ? { missing: BLOCKED } : { ...answer, isCut: answer.body.length >= most };
  }
  async function askFor(url: string, most: number, ended: string | undefined): Promise<ProbeAnswer | Missing> {
    if (ended !== undefined) return { missing: ended };
    return most > 0 ? ask(sender, { method: 'GET', url }, most) : TOO_MUCH;
  }
  async function work(): Promise<void> {
    for (const [index, url] of waiting) loaded[index] = await load(url);
  }
  const { origin = '' } = URL.parse(urls[0] ?? '') ?? {};
  await Promise.all(Array.from({ length: atOnce(sender, origin) }, work));
  return loaded;
}

/**
 * Reserves bytes before they are read, so that parallel downloads stay within the limit together. `take` waits while
 * too few bytes are left and a download is still running.
 */
function createPool({ bytes, allBytes }: LoadLimits) {
  const waiting: (() => void)[] = [];
  let left = allBytes;
  let underWay = 0;
  return {
    async take(): Promise<number> {
      while (left < bytes && underWay > 0) await new Promise<void>((resolve) => waiting.push(resolve));
      const most = Math.min(bytes, left);
      left -= most;
      underWay++;
      return most;
    },
    giveBack(most: number, used: number): void {
      left += Math.max(0, most - used);
      underWay--;
      for (const wake of waiting.splice(0)) wake();
    },
  };
}
