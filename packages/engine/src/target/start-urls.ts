import type { TargetRules } from '../protocol/target-rules.ts';
import { isExcludedBy } from './exclusions.ts';
import { mostSpecific } from './most-specific.ts';

interface ExclusionRules {
  excludedPaths: readonly string[];
  targets?: readonly TargetRules[];
}

/**
 * Returns the URLs that a run starts at: the target URL, or, if an excluded path contains it, the folders above it that
 * are not excluded, nearest first. Empty if the whole site is excluded.
 */
export function startUrls(targetUrl: string, { excludedPaths, targets = [] }: ExclusionRules): string[] {
  const url = new URL(targetUrl);
  const excluded = mostSpecific(targets, url)?.excludedPaths ?? excludedPaths;
  if (!isExcludedBy({ path: url.pathname + url.search, method: 'GET' }, excluded)) return [targetUrl];
  return (
    foldersAbove(url.pathname)
      .filter((path) => !isExcludedBy({ path, method: 'GET' }, excluded))
      // Not resolved against the origin: a path that begins with two slashes would name another host.
      .map((path) => new URL(`${url.origin}${path}`).href)
  );
}

/** Returns the folders of a path, nearest first and the root last. */
function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(1, -1);
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}/`)].reverse();
}
