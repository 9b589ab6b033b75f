import type { Network } from '../../protocol/network-settings.ts';
import type { Headers } from './exchange.ts';

/** In lower case, as headers are compared. */
export const RUN_HEADER = 'x-sortie-run';

/**
 * Returns the headers that every request carries, so that the operator of a tested site can identify us and the run.
 */
export function identity(network: Pick<Network, 'userAgent'>, runId: string): Headers {
  return [
    ['User-Agent', network.userAgent],
    ['X-Sortie-Run', runId],
  ];
}
