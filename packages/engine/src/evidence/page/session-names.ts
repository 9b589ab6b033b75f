/** As frameworks and products name the cookie that says who a visitor is. */
const KNOWN: readonly RegExp[] = [
  /^aspsessionid[a-z]{8}$/i,
  /^s?sess[0-9a-f]{32}$/i,
  /^\.?aspxauth$/i,
  /^\.aspnetcore\.(?!antiforgery|culture|mvc|correlation|openidconnect)/i,
  /^wordpress_(?:logged_in|sec)_/i,
  /^remember(?:_web_|_token$|[-_]?me$)/i,
  /^keycloak_(?:identity|session)/i,
  /^cf(?:id|token)$/i,
  /^(?:auth0?|login|token|jwt)$/i,
];
/** Of load balancers, statistics, and protection against robots: they say where a visitor is sent, not who it is. */
const OTHERS = /^(?:heroku-session-affinity|AWSALB|__cf_bm|cf_clearance|_ga|_hj|ai_session)/i;

const SESSION_WORD = /^(?:sid|sess|.*sessid|.*sessionid|(?!possession|obsession).*session)$/;
/** The words before "token" that make it the token of a visitor. */
const TOKEN_OWNER = /^(?:access|admin|api|auth|bearer|id|jwt|login|oauth|refresh|remember|session|sso|user)(?:token)?$/;
/** About a session, not the session: `sessionTimeout`, `session_count`. */
const ABOUT = /^(?:count|duration|expir\w*|hint|lang|length|locale|method|seen|start|started|time|timeout|warning)$/;

/** `sessionTimeout` and `session_timeout` are the words "session" and "timeout". */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** Whether a cookie of this name, without the prefixes `__Host-` and `__Secure-`, is likely to say who a visitor is. */
export function isSessionName(name: string): boolean {
  if (OTHERS.test(name)) return false;
  if (KNOWN.some((pattern) => pattern.test(name))) return true;
  const words = wordsOf(name);
  if (words.some((word) => ABOUT.test(word))) return false;
  const hasToken = words.some((word) => word.endsWith('token'));
  return (
    words.some((word) => SESSION_WORD.test(word) || word === 'jwt' || (hasToken && TOKEN_OWNER.test(word))) ||
    words.at(-1) === 'auth'
  );
}
