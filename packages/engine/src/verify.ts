import { randomBytes, randomInt } from 'node:crypto';
import { requestWith } from './active/point.ts';
import type { ActiveCheck, Nonce, Observation, Point, Verdict } from './active-check.ts';
import type { Browser } from './browser/browser.ts';
import type { Session } from './login/session.ts';

/** A request of a proof and what was answered, in the order in which they were sent. */
export interface Exhibit {
  label: string;
  exchange: Observation;
}

export interface Verified {
  confidence: 'CONFIRMED' | 'FIRM';
  /** Of the last execution. */
  exhibits: Exhibit[];
}

export interface Verifying {
  session: Pick<Session, 'send' | 'load'>;
  /** Undefined where there is none. */
  browser?: Pick<Browser, 'visit'> | undefined;
  /** Makes the next request use a new connection. */
  renew(): void;
}

export function createNonce(): Nonce {
  const numbers = new Set<number>();
  while (numbers.size < 3) numbers.add(randomInt(1_000, 10_000));
  const [a = 0, b = 0, c = 0] = numbers;
  return { word: `s${randomBytes(6).toString('hex')}`, numbers: [a, b, c] };
}

interface Execution {
  verdict: Verdict;
  exhibits: Exhibit[];
}

/**
 * The only place that says CONFIRMED: what was proved once must be proved again, with new nonces, over a new
 * connection, and with all controls. What the second time refutes is no finding.
 */
export async function verify<Variant>(
  check: ActiveCheck<Variant>,
  point: Point,
  variant: Variant,
  verifying: Verifying,
): Promise<Verified | undefined> {
  const first = await execute(check, point, variant, verifying);
  if (first.verdict !== 'PROVED') return undefined;
  verifying.renew();
  const second = await execute(check, point, variant, verifying);
  if (second.verdict === 'REFUTED') return undefined;
  if (second.verdict === 'VOID') return { confidence: 'FIRM', exhibits: first.exhibits };
  return { confidence: 'CONFIRMED', exhibits: second.exhibits };
}

async function execute<Variant>(
  { proof }: ActiveCheck<Variant>,
  point: Point,
  variant: Variant,
  { session, browser }: Verifying,
): Promise<Execution> {
  const nonce = createNonce();
  const exhibits: Exhibit[] = [];
  for (const { label, value, isRaw, inBrowser } of proof.plan(point, variant, nonce)) {
    const request = requestWith(point, value, isRaw);
    const exchange = inBrowser ? await openPage(request.url, session, browser) : await session.send(request);
    if (!exchange) return { verdict: 'VOID', exhibits };
    exhibits.push({ label, exchange });
  }
  const answers = new Map(exhibits.map(({ label, exchange }) => [label, exchange]));
  return { verdict: proof.judge(answers, variant, nonce), exhibits };
}

/** In a new profile each time: nothing of an earlier page can pass for an answer. */
async function openPage(
  url: string,
  session: Verifying['session'],
  browser: Verifying['browser'],
): Promise<Observation | undefined> {
  const visited = await browser?.visit(url, session.load);
  return visited && { ...visited.exchange, calls: visited.calls };
}
