/** The likeliest first. */
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

/** What somebody would be known by, in what a target has answered or keeps in its storage. */
export function findToken(value: unknown): string | undefined {
  const found: { rank: number; token: string }[] = [];
  const waiting: [key: string, value: unknown][] = [['token', value]];
  for (let count = 0; waiting.length > 0 && count < MOST_VALUES; count++) {
    const [key, one] = waiting.shift() ?? ['', undefined];
    if (typeof one === 'string') {
      const inner = readJson(one);
      const token = one.replace(/^bearer /i, '');
      const rank = TOKEN_KEYS.findIndex((pattern) => pattern.test(key));
      if (inner !== undefined && typeof inner !== 'number') waiting.push([key, inner]);
      else if (rank >= 0 && TOKEN.test(token)) found.push({ rank, token });
    } else if (typeof one === 'object' && one !== null) {
      waiting.push(...Object.entries(one));
    }
  }
  return found.toSorted((a, b) => a.rank - b.rank)[0]?.token;
}

/** Undefined for what is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
