import { isIP } from 'node:net';
import { usageError } from '../../terminal/command-error.ts';
import { shown } from '../../terminal/text.ts';

/** A host with a port or path but without a scheme. */
const WITHOUT_SCHEME = /^(?:[^\s:/?#@\\[\]]+|\[[\da-f:.]+\])(?::\d+(?=[/?#]|$)|(?=[/?#]))/i;

/** One label without a dot: far more often a mistyped command than a host. */
const SINGLE_WORD = /^[^\s:/?#@\\[\].]+$/;

/** Throws a usage error for the two URL mistakes that have an obvious fix. */
export function refuseWithoutScheme(url: string): void {
  if (WITHOUT_SCHEME.test(url)) {
    throw usageError(`${shown(url)} is not a URL: add http:// or https:// in front`);
  }
  if (SINGLE_WORD.test(url) && url.toLowerCase() !== 'localhost' && isIP(url) === 0) {
    throw usageError(`${shown(url)} is not a domain. To scan a host with this name, use https://${shown(url)}/`);
  }
}
