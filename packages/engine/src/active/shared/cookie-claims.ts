import { createHash } from 'node:crypto';

/** Hashes without a key, which anyone computes from a name. */
const HASHES = ['md5', 'sha1', 'sha256'] as const;
type Hash = (typeof HASHES)[number];

/** How a cookie is written. */
export type Coding = 'plain' | 'base64' | Hash;

const hashed = (name: Hash) => ({
  read: () => '',
  write: (text: string) => createHash(name).update(text).digest('hex'),
});

export const codingsOf: Record<Coding, { read(value: string): string; write(text: string): string }> = {
  plain: { read: (value) => value, write: (text) => text },
  base64: {
    read: (value) => (/^[A-Za-z0-9+/]{4,64}={0,2}$/.test(value) ? Buffer.from(value, 'base64').toString() : ''),
    write: (text) => Buffer.from(text).toString('base64'),
  },
  md5: hashed('md5'),
  sha1: hashed('sha1'),
  sha256: hashed('sha256'),
};

/** Returns whether the cookie says this text in this coding: a hash can be compared, not read. */
export function says(value: string, coding: Coding, text: string): boolean {
  if (text === '') return false;
  const isHash = HASHES.some((hash) => hash === coding);
  return isHash ? decoded(value).toLowerCase() === codingsOf[coding].write(text) : asName(value, coding) === text;
}

/** Longer values are tokens. */
const LONGEST = 64;

/** Returns what the cookie says in this coding; undefined if it is not written in it. */
export function asName(value: string, coding: Coding): string | undefined {
  if (value.length > LONGEST) return undefined;
  const text = codingsOf[coding].read(decoded(value));
  return /^[\w.@+-]{1,60}$/.test(text) ? text : undefined;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Roles and switches that a cookie may claim, with those that have more rights. */
const ROLES = new Map([
  ...['user', 'member', 'customer', 'guest', 'normal', 'regular', 'visitor', 'basic'].map(
    (role) => [role, 'admin'] as const,
  ),
  ...([
    ['false', 'true'],
    ['False', 'True'],
    ['0', '1'],
    ['no', 'yes'],
    ['off', 'on'],
  ] as const),
]);

export const asRole = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : ROLES.get(text);

/** An id that no account has. */
export const otherId = (id: string): string => (/^\d+$/.test(id) ? `9${id}47` : `${id}x`);
