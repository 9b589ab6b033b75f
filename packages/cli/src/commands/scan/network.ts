import type { JudgedScan } from '@sortie/engine';
import { allowFlag } from '../../settings/allow-entry.ts';

const LOOPBACK = ['127.0.0.1', '::1'];

/** Returns the flags that allow the refused addresses, because a local scan may contact what its user allows. */
export function hintFor({ gathered, egress }: JudgedScan['scan']): string {
  if (!('code' in gathered) || gathered.code !== 'TARGET_REFUSED') return '';
  const refused = egress.flatMap(({ outcome, host, address, port }) => {
    if (outcome !== 'REFUSED' || address === null) return [];
    // localhost resolves to both addresses, and both must be allowed.
    const addresses = /(?:^|\.)localhost\.?$/i.test(host) ? LOOPBACK : [address];
    return addresses.map((one) => allowFlag(one, port));
  });
  if (refused.length === 0) return '';
  return ` If the target is yours, add ${[...new Set(refused)].join(' ')}`;
}
