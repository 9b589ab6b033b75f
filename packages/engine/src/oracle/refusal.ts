import type { Exchange } from '../http/exchange/exchange.ts';

/** Whoever answers so has refused the request, not looked at it. */
const REFUSALS = new Set([401, 403, 406, 429, 503]);

type Told = Pick<Exchange, 'response'> | undefined;

/**
 * Whether the target has refused any of these. What it answers to harmless requests as well is its way to say that there
 * is nothing, and no refusal.
 */
export function isRefused(exchanges: readonly Told[], harmless: readonly Told[] = []): boolean {
  const usual = new Set(harmless.map((exchange) => exchange?.response?.status));
  return exchanges.some((exchange) => {
    const status = exchange?.response?.status ?? 0;
    return REFUSALS.has(status) && !usual.has(status);
  });
}
