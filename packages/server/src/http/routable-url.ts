/**
 * Returns a URL that the router can decode, because it rejects others before any hook runs. No id contains an invalid
 * escape, so such a URL is re-encoded into one that matches nothing. An absolute URL loses its origin.
 */
export function routableUrl(url: string): string {
  const relative = url.startsWith('/') ? url : withoutOrigin(url);
  if (!relative.includes('%')) return relative;
  const path = pathOf(relative);
  try {
    decodeURIComponent(path);
    return relative;
  } catch {
    return path.replaceAll('%', '%25') + relative.slice(path.length);
  }
}

/** Returns the decoded path that the router matches, for a routable URL. */
export function routedPath(routable: string): string {
  return decodeURI(pathOf(routable));
}

function pathOf(relative: string): string {
  return relative.split(/[?#]/, 1)[0] ?? '';
}

function withoutOrigin(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.pathname}${parsed.search}` : '/';
}
