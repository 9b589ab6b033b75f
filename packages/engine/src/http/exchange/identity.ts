import type { Network } from '../../protocol/network-settings.ts';
import type { Headers } from './exchange.ts';

/** In small letters, as headers are compared. */
export const RUN_HEADER = 'x-sortie-run';

/** What every request carries, so that whoever is tested can tell by whom and for which run. */
export function identity(network: Pick<Network, 'userAgent'>, runId: string): Headers {
  return [
    ['User-Agent', network.userAgent],
    ['X-Sortie-Run', runId],
  ];
}
