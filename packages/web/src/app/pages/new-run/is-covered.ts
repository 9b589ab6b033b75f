import type { Target } from '@sortie/contract';

/** Whether the verification covers the URL, as far as a page can tell. The server decides. */
export function isCovered({ coveredName, coveredOrigin }: Target, address: string): boolean {
  const url = URL.parse(address);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
  if (coveredOrigin !== null) return url.origin === coveredOrigin;
  if (coveredName === null) return true;
  return url.hostname === coveredName || url.hostname.endsWith(`.${coveredName}`);
}
