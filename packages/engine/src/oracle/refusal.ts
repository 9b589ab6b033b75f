import type { Exchange } from '../http/exchange/exchange.ts';

/** Statuses with which a target rejects a request without processing it. */
const REFUSALS = new Set([401, 403, 406, 429, 503]);

type Told = Pick<Exchange, 'response'> | undefined;

/**
 * Returns whether the target refused any of these requests. A status that harmless requests get as well is its regular
 * response and no refusal.
 */
export function isRefused(
  exchanges: readonly Told[],
  harmless: readonly Told[] = [],
  usualStatuses: readonly number[] = [],
): boolean {
  const usual = new Set([...usualStatuses, ...harmless.map((exchange) => exchange?.response?.status)]);
  return exchanges.some((exchange) => {
    const status = exchange?.response?.status ?? 0;
    return REFUSALS.has(status) && !usual.has(status);
  });
}
