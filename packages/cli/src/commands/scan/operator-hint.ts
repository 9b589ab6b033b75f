import type { Scan } from '@sortie/sdk';
import { entryForRefused } from '../../settings/allow-entry.ts';

/** Returns the setting with which an operator lets the service scan a non-public address, or ''. */
export function operatorHint({ url, failure }: Pick<Scan, 'url' | 'failure'>): string {
  const entry = failure?.code === 'TARGET_REFUSED' ? entryForRefused(failure.message, url) : undefined;
  if (entry === undefined) return '';
  return `If the target is yours, an operator can allow it: start the service with SORTIE_ALLOW_ADDRESSES=${entry}\n`;
}
