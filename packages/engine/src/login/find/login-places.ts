import { effectOf } from '../../crawl/effect/judge.ts';

export const LOGIN_WORDS =
  /log\s?-?in|sign\s?-?in|anmeld|einlogg|connexion|connecter|iniciar|acceder|entrar|accedi|inlog|aanmeld|ingresar|войти/i;

export const LOG_OUT =
  /\b(?:log|sign)[\s_-]?(?:out|off)\b|abmelden|ausloggen|d[ée]connexion|se d[ée]connecter|cerrar sesi[oó]n|uitloggen|afmelden|disconnetti|terminar sess[aã]o|выйти/i;

export const USUAL_PATHS = ['/login', '/signin', '/account/login', '/users/sign_in', '/auth/login', '/wp-login.php'];

const MOST_NAMED = 5;

/** Returns the URLs that the owner names in the instructions, absolute or as paths of the target. */
export function placesIn(instructions: string | null, targetUrl: string): string[] {
  const named = (instructions ?? '').match(/https?:\/\/[^\s"'<>]+|(?<![^\s"'(])\/[^\s"'<>)]+/g) ?? [];
  return named
    .flatMap((text) => URL.parse(text.replace(/[.,;:!?)]+$/, ''), targetUrl)?.href ?? [])
    .filter((url) => effectOf({ method: 'GET', url }) !== 'endangers')
    .slice(0, MOST_NAMED);
}

const LOGIN_PATH = /log[_-]?in|sign[_-]?in|\/auth(?:$|\/)|\/sso/i;

/** Returns whether a redirect leads from another page to a login page, as for an expired session. */
export function isSentToLogin(asked: string, location: string): boolean {
  const [from, to] = [URL.parse(asked), URL.parse(location, asked)];
  return from !== null && to !== null && LOGIN_PATH.test(to.pathname + to.hash) && !LOGIN_PATH.test(from.pathname);
}
