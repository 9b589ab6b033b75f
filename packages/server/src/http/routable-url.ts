/**
 * The router refuses an address it cannot decode, before any gate. No id is spelled like that, so such an address is
 * given a form that is decodable and leads nowhere; an absolute one loses its origin.
 */
export function routableUrl(url: string): string {
  const relative = url.startsWith('/') ? url : withoutOrigin(url);
  if (!relative.includes('%')) return relative;
  const path = relative.split('?')[0] ?? '';
  try {
    decodeURIComponent(path);
    return relative;
  } catch {
    return relative.replaceAll('%', '%25');
  }
}

function withoutOrigin(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.pathname}${parsed.search}` : '/';
}
