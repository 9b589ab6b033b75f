import { Cookie } from 'tough-cookie';
import { headerValues } from '../../http/exchange/headers.ts';
import { type Jwt, readJwt } from './jwt.ts';
import type { MainPage } from './main-page.ts';
import { isSessionName } from './session-names.ts';

/** A cookie that was set on the way to the main page or by it. Its value stays with the visitor. */
export interface SeenCookie {
  name: string;
  /** Whose answer set it. */
  url: string;
  isSecure: boolean;
  isHttpOnly: boolean;
  /** As it was written; undefined when there was none. */
  sameSite: string | undefined;
  /** In lower case without a leading dot; undefined when only the host itself gets it back. */
  domain: string | undefined;
  path: string | undefined;
  /** Undefined when it ends with the browser's session. */
  lifetimeMs: number | undefined;
  /** Whether it is likely to say who a visitor is. */
  isSession: boolean;
  /** Whether it is likely to be there against forged requests: scripts of the page must read it. */
  isCsrf: boolean;
  /** What its value says, when it is a JSON Web Token. */
  jwt: Jwt | undefined;
}

const CSRF_NAMES = /csrf|xsrf|antiforgery|requestverificationtoken/i;
/** Browsers drop a cookie with more. */
const MAX_NAME_AND_VALUE = 4_096;

export function cookiesOf({ hops, gatheredAt }: MainPage): SeenCookie[] {
  return hops.flatMap(({ url, headers }) =>
    headerValues(headers, 'set-cookie').flatMap((line) => readCookie(url, line, Date.parse(gatheredAt))),
  );
}

/** None when a browser would take it for nothing, or for the order to forget one. */
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

/** As they are written, the last of a name: the library keeps only the values it knows. */
function attributesOf(line: string): Map<string, string> {
  const attributes = line.split(';').slice(1);
  return new Map(
    attributes.map((attribute) => {
      const [name = '', ...value] = attribute.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim()];
    }),
  );
}
