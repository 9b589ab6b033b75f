import type { TargetCoverage } from '../protocol/target-rules.ts';
import { covers, readPlainOrigin } from './coverage.ts';

/**
 * Returns the target whose rules apply to a URL: the one with that origin, else the one with the longest covered name,
 * and among those the one on the same host. The first of several equally specific targets wins; undefined if no target
 * covers the URL.
 */
export function mostSpecific<Target extends TargetCoverage>(targets: readonly Target[], url: URL): Target | undefined {
  let best: Target | undefined;
  let highest = 0;
  for (const target of targets) {
    const rank = specificity(target, url);
    if (rank > highest) [best, highest] = [target, rank];
  }
  return best;
}

/** Returns 0 if the target does not cover the URL. */
function specificity({ origin, host, coveredNames }: TargetCoverage, url: URL): number {
  const read = readPlainOrigin(url);
  if (!read) return 0;
  if (read.origin === origin) return Number.POSITIVE_INFINITY;
  const lengths = coveredNames
    .filter((coveredName) => covers({ coveredName, coveredOrigin: null }, url))
    .map((name) => name.length);
  if (lengths.length === 0) return 0;
  return Math.max(...lengths) + (read.host === host ? 0.5 : 0);
}
