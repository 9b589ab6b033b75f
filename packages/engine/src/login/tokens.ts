/** Most likely first. */
const TOKEN_KEYS = [
  /^access_?token$/i,
  /^(?:auth|bearer|session)_?token$/i,
  /^token$/i,
  /^jwt(?:_?token)?$/i,
  /^id_?token$/i,
  /^(?:auth|authentication|session|user|login|currentuser|credentials?)$/i,
];
const TOKEN = /^[\w~+/.=|:-]{10,8000}$/;
const MOST_VALUES = 2_000;

/** Returns the most likely access token in a response or in web storage. */
export function findToken(value: unknown): string | undefined {
  const found = textsIn(value).flatMap(({ key, token }) => {
    const rank = TOKEN_KEYS.findIndex((pattern) => pattern.test(key));
    return rank >= 0 && TOKEN.test(token) ? [{ rank, token }] : [];
  });
  return found.toSorted((a, b) => a.rank - b.rank)[0]?.token;
}

const SECRET_KEY = /token|jwt|secret|session|auth|pass|api_?key/i;
const SECRET = /^[\w~+/.=|:-]{16,8000}$/;
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const MOST_SECRETS = 10;

/** Returns the secrets to redact. IDs are not among them, because testers need them. */
export function secretsIn(value: unknown): string[] {
  const isSecret = ({ key, token }: { key: string; token: string }) =>
    JWT.test(token) || (SECRET_KEY.test(key) && SECRET.test(token));
  return textsIn(value)
    .filter(isSecret)
    .map(({ token }) => token)
    .slice(0, MOST_SECRETS);
}

/** Returns the strings in a value with their keys, including those in JSON nested in strings. */
function textsIn(value: unknown): { key: string; token: string }[] {
  const found: { key: string; token: string }[] = [];
  const waiting: [key: string, value: unknown][] = [['token', value]];
  for (let count = 0; waiting.length > 0 && count < MOST_VALUES; count++) {
    const [key, one] = waiting.shift() ?? ['', undefined];
    if (typeof one === 'string') {
      const inner = readJson(one);
      if (inner !== undefined && typeof inner !== 'number') waiting.push([key, inner]);
      else found.push({ key, token: one.replace(/^bearer /i, '') });
    } else if (typeof one === 'object' && one !== null) {
      waiting.push(...Object.entries(one));
    }
  }
  return found;
}

/** Returns undefined for invalid JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
