/** A cookie that the target sets for every visitor; its value is no secret. */
export interface SharedCookie {
  name: string;
  value: string;
  /** Requests below this path carry the cookie. */
  path: string;
  /** URL of the page that sets it. */
  setBy: string;
}

// Matches whole values only: the redactor would not recognise a truncated secret.
const PAIR = /^\s*([^=;\s]{1,100})=([^;\s"]{1,100})(?=;|\s*$)/;
const PATH = /;\s*path=(\/[^;\s]{0,200})\s*(?=;|$)/i;

/** Parses the value of `Set-Cookie` or of an assignment to `document.cookie`. */
export function readCookie(line: string, url: string): SharedCookie | undefined {
  const [, name, value = ''] = PAIR.exec(line) ?? [];
  const page = URL.parse(url);
  if (name === undefined || !page) return undefined;
  const [, path = page.pathname.replace(/\/[^/]*$/, '') || '/'] = PATH.exec(line) ?? [];
  return { name, value: decoded(value), path, setBy: page.origin + page.pathname };
}

/** Returns whether a browser sends the cookie with a request to this URL (RFC 6265, section 5.1.4). */
export function belongsTo({ path, setBy }: SharedCookie, url: string): boolean {
  const { origin, pathname } = new URL(url);
  if (new URL(setBy).origin !== origin || !pathname.startsWith(path)) return false;
  return pathname.length === path.length || path.endsWith('/') || pathname[path.length] === '/';
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
