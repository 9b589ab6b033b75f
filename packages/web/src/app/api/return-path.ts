const OWN_PATH = /^\/(?![/\\])/;

/**
 * Returns where to go after the sign-in: the given path if it belongs to this service, the start page otherwise. Browsers
 * read `//host` and `/\host` as other sites.
 */
export function safeReturnPath(wanted: unknown, origin: string): string {
  if (typeof wanted !== 'string' || !OWN_PATH.test(wanted)) return '/';
  const url = URL.parse(wanted, origin);
  // Resolving `/.//host` gives `//host`.
  if (
    !url ||
    !OWN_PATH.test(url.pathname) ||
    url.origin !== origin ||
    /^\/(?:sign-in|sign-up|api|v1)(?:\/|$)/.test(url.pathname)
  )
    return '/';
  return url.pathname + url.search + url.hash;
}
