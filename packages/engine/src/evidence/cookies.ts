import { Cookie } from 'tough-cookie';
import { headerValues } from './header-values.ts';
import type { MainPage } from './main-page.ts';

/** A cookie that was set on the way to the main page or by it. */
export interface SeenCookie {
  name: string;
  /** Whose answer set it. */
  url: string;
  isSecure: boolean;
  isHttpOnly: boolean;
  /** As it was written; undefined when there was none. */
  sameSite: string | undefined;
  /** Whether it is likely to say who a visitor is. */
  isSession: boolean;
}

const SESSION_NAMES = /sess|login|^(sid|auth|token|jwt|connect\.sid)$/i;
/** Of load balancers and of protection against robots: they say where a visitor is sent, not who it is. */
const NOT_SESSIONS = /^(heroku-session-affinity|AWSALB|__cf_bm|cf_clearance|_ga)/i;

export function cookiesOf({ hops, gatheredAt }: MainPage): SeenCookie[] {
  return hops.flatMap(({ url, headers }) =>
    headerValues(headers, 'set-cookie').flatMap((line) => readCookie(url, line, Date.parse(gatheredAt))),
  );
}

/** None when a browser would take it for nothing, or for the order to forget one. */
function readCookie(url: string, line: string, now: number): SeenCookie[] {
  const cookie = Cookie.parse(line, { loose: true });
  if (!cookie?.key || cookie.TTL(now) <= 0) return [];
  return [
    {
      name: cookie.key,
      url,
      isSecure: cookie.secure,
      isHttpOnly: cookie.httpOnly,
      // The library keeps only the values it knows.
      sameSite: /;\s*samesite\s*=?\s*([^;]*)/i.exec(line)?.[1]?.trim(),
      isSession: SESSION_NAMES.test(cookie.key) && !NOT_SESSIONS.test(cookie.key),
    },
  ];
}
