/**
 * The router refuses an address it cannot decode, before any gate. No id is spelled like that, so such an address is
 * given a form that is decodable and leads nowhere; an absolute one loses its origin.
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

/** The path that the router compares with its own, of an address that is routable. */
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
