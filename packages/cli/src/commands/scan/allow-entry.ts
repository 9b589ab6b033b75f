import { isIPv6 } from 'node:net';
import type { Scan } from '@sortie/sdk';

/** Returns an address and port as an entry of an allow list. */
export const allowEntry = (address: string, port: number): string =>
  isIPv6(address) ? `[${address}/128]:${port}` : `${address}/32:${port}`;

const REFUSED_ADDRESS = /(\S+) is not a public address/;

/** Returns the setting with which an operator lets the service scan a non-public address, or ''. */
export function operatorHint({ url, failure }: Pick<Scan, 'url' | 'failure'>): string {
  const address = failure?.code === 'TARGET_REFUSED' && REFUSED_ADDRESS.exec(failure.message)?.[1];
  if (!address || !URL.canParse(url)) return '';
  const { port, protocol } = new URL(url);
  const entry = allowEntry(address, Number(port) || (protocol === 'http:' ? 80 : 443));
  return `If the target is yours, an operator can allow it: start the service with SORTIE_ALLOW_ADDRESSES=${entry}\n`;
}
