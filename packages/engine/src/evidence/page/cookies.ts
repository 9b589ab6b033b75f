import { Cookie } from 'tough-cookie';
import { headerValues } from '../../http/exchange/headers.ts';
import { type JwtProperties, readJwt } from './jwt.ts';
import type { MainPage } from './main-page.ts';
import { isSessionName } from './session-names.ts';

/** A cookie set by the main page or by a redirect to it. Its value is not kept. */
export interface SeenCookie {
  name: string;
  /** URL of the response that set it. */
  url: string;
  isSecure: boolean;
  isHttpOnly: boolean;
  /** As sent; undefined without the attribute. */
  sameSite: string | undefined;
  /** In lower case without a leading dot; undefined for a host-only cookie. */
  domain: string | undefined;
  path: string | undefined;
  /** Undefined for a cookie that ends with the browser session. */
  lifetimeMs: number | undefined;
  /** Whether it is likely to hold a session identifier. */
  isSession: boolean;
  /** Whether it is likely to hold a CSRF token, which scripts of the page have to read. */
  isCsrf: boolean;
  /** Set if the value is a JSON Web Token. */
  jwt: JwtProperties | undefined;
}

const CSRF_NAMES = /csrf|xsrf|antiforgery|requestverificationtoken/i;
/** Browsers reject larger cookies. */
const MAX_NAME_AND_VALUE = 4_096;

/** Returns the cookies that the page and the redirects to it set. */
export function cookiesOf({ hops, gatheredAt }: MainPage): SeenCookie[] {
  return hops.flatMap(({ url, headers }) =>
    headerValues(headers, 'set-cookie').flatMap((line) => readCookie(url, line, Date.parse(gatheredAt))),
  );
}

/** Returns nothing if a browser would reject the cookie or delete it. */
function readCookie(url: string, line: string, now: number): SeenCookie[] {
  if ((line.split(';', 1)[0] ?? '').length > MAX_NAME_AND_VALUE + 1) return [];
  const cookie = Cookie.parse(line, { loose: true });
  if (!cookie?.key) return [];
  const lifetimeMs = cookie.TTL(now);
  if (lifetimeMs <= 0) return [];
  const attributes = attributesOf(line);
  const ownName = cookie.key.replace(/^__(host|secure)-/i, '');
  const isCsrf = CSRF_NAMES.test(ownName);
  const jwt = readJwt(cookie.value);
  return [
    {
      name: cookie.key,
      url,
      isSecure: attributes.has('secure'),
      isHttpOnly: attributes.has('httponly'),
      sameSite: attributes.get('samesite'),
      domain: attributes.get('domain')?.replace(/^\./, '').toLowerCase() || undefined,
      path: attributes.get('path'),
      lifetimeMs: Number.isFinite(lifetimeMs) ? lifetimeMs : undefined,
      isSession: !isCsrf && (isSessionName(ownName) || jwt !== undefined),
      isCsrf,
      jwt,
    },
  ];
}

/** Parses the attributes as sent, the last of each name: the library keeps only values it knows. */
function attributesOf(line: string): Map<string, string> {
  const attributes = line.split(';').slice(1);
  return new Map(
    attributes.map((attribute) => {
      const [name = '', ...value] = attribute.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim()];
    }),
  );
}
