/**
 * Returns the path to redirect to after the sign-in: the given one if it belongs to a page of this service, otherwise
 * the start page. Browsers read `//host` and `/\host` as other sites, and skip tabs and line breaks.
 */
export function safePath(wanted: string): string {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted)) return '/';
  const base = 'http://service.invalid';
  const url = URL.parse(wanted, base);
  // Resolving `/.//host` gives `//host`.
  if (
    !url ||
    /^\/[/\\]/.test(url.pathname) ||
    url.origin !== base ||
    /^\/(?:sign-in|sign-up|api|v1)(?:\/|$)/.test(url.pathname)
  )
    return '/';
  return url.pathname + url.search + url.hash;
}
