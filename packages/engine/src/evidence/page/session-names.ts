/** Names of session cookies in frameworks and products. */
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
/** Cookies of load balancers, analytics and bot protection, which do not identify a user. */
const OTHERS = /^(?:heroku-session-affinity|AWSALB|__cf_bm|cf_clearance|_ga|_hj|ai_session)/i;

const SESSION_WORD = /^(?:sid|sess|.*sessid|.*sessionid|(?!possession|obsession).*session)$/;
/** Words that, before "token", name the token of a user. */
const TOKEN_OWNER = /^(?:access|admin|api|auth|bearer|id|jwt|login|oauth|refresh|remember|session|sso|user)(?:token)?$/;
/** Properties of a session, such as `sessionTimeout` or `session_count`. */
const ABOUT = /^(?:count|duration|expir\w*|hint|lang|length|locale|method|seen|start|started|time|timeout|warning)$/;

/** Splits camel case and snake case into words. */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/**
 * Returns whether a cookie of this name, without the prefixes `__Host-` and `__Secure-`, is likely to hold a session.
 */
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
