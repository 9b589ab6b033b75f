import { usageError } from '../../command-error.ts';
import { shown } from '../../text.ts';

/** A host with a port or a path: more than a bare domain, and not a URL yet. */
const WITHOUT_SCHEME = /^(?:[^\s:/?#@\\[\]]+|\[[\da-f:.]+\])(?::\d+(?=[/?#]|$)|(?=[/?#]))/i;

/** Said here, because it is the one mistake with a URL that has an easy cure. */
export function refuseWithoutScheme(url: string): void {
  if (!WITHOUT_SCHEME.test(url)) return;
  throw usageError(`${shown(url)} is not a URL yet: put http:// or https:// in front of it`);
}
