import type { Database } from '../../../server/src/db/database.ts';
import { randomBase62 } from '../../../server/src/platform/new-id.ts';

export interface Leak {
  /** The name of the canary. */
  canary: string;
  /** The encoding in which it was found. */
  form: string;
  /** The byte offset in the searched data. */
  at: number;
}

interface Form {
  name: string;
  /** The bytes to search for, one character per byte. */
  needle: string;
  /** Hex digits may be in either case, and mixed in percent-encoding. */
  ignoreCase?: boolean;
}

/**
 * Returns random text that every encoding changes and that never occurs by chance; `url` limits it to URL-safe
 * characters.
 */
export function createCanary(alphabet: 'any' | 'url' = 'any'): string {
  const middle = alphabet === 'url' ? '-' : ' "\\/&=+%<é😀>\n';
  return `${randomBase62(12)}${middle}${randomBase62(12)}`;
}

/** Shorter canaries could occur by chance, or leave too few bytes in base64. */
const MIN_BYTES = 12;

/** Searches for secrets in every encoding in which a program may leak them. */
export function findLeaks(searched: string | Uint8Array, canaries: Readonly<Record<string, string>>): Leak[] {
  const bytes = toBytes(searched);
  const lowerCase = bytes.toLowerCase();
  return Object.entries(canaries).flatMap(([canary, secret]) =>
    formsOf(secret).flatMap(({ name, needle, ignoreCase }) => {
      const at = ignoreCase ? lowerCase.indexOf(needle.toLowerCase()) : bytes.indexOf(needle);
      return at < 0 ? [] : [{ canary, form: name, at }];
    }),
  );
}

/** One character per byte, so that binary data can be searched and no match is ambiguous. */
function toBytes(searched: string | Uint8Array): string {
  return Buffer.from(searched).toString('latin1');
}

function formsOf(secret: string): Form[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < MIN_BYTES) throw new RangeError(`a canary of ${bytes.length} bytes cannot be searched for`);
  const hex = bytes.toString('hex');
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret);
  const form = (name: string, text: string, ignoreCase = false) => ({ name, needle: toBytes(text), ignoreCase });
  return [
    form('plain', secret),
    ...[0, 1, 2].flatMap((offset) => {
      const text = base64At(bytes, offset);
      const urlSafe = text.replaceAll('+', '-').replaceAll('/', '_');
      return [form(`base64+${offset}`, text), form(`base64url+${offset}`, urlSafe)];
    }),
    form('hex', hex, true),
    form('spaced hex', hex.replace(/..(?=.)/g, '$& '), true),
    form('byte list', [...bytes].join(',')),
    form('URL', percent, true),
    form('form', percent.replaceAll('%20', '+'), true),
    form('strict URL', hex.replace(/../g, '%$&'), true),
    form('HTML', escapeHtml(secret), true),
    form(
      'HTML numbers',
      entitiesOf(secret, (code) => `${code}`),
    ),
    form(
      'HTML hex numbers',
      entitiesOf(secret, (code) => `x${code.toString(16)}`),
      true,
    ),
    form('JSON', json),
    form('JSON in JSON', JSON.stringify(json).slice(1, -1)),
    form('ASCII JSON', json.replace(/[^\x20-\x7e]/g, toEscape), true),
    form('ASCII JSON, slashes too', json.replaceAll('/', '\\/').replace(/[^\x20-\x7e]/g, toEscape), true),
    { name: 'UTF-16', needle: Buffer.from(secret, 'utf16le').toString('latin1') },
  ];
}

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => HTML[character] ?? character);

/** Returns the text as numeric character references. */
const entitiesOf = (text: string, write: (code: number) => string) =>
  [...text].map((character) => `&#${write(character.codePointAt(0) ?? 0)};`).join('');

const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Returns the base64 digits that encode only these bytes, if `offset` bytes of the same group of three precede them.
 */
function base64At(bytes: Buffer, offset: number): string {
  const digits = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return digits.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

const BYTEA = 17;

/** Resolves to the content of all tables, as PostgreSQL prints it and, for binary columns, as raw bytes. */
export async function dumpTables({ pool }: Database): Promise<Buffer> {
  const { rows: tables } = await pool.query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`);
  const parts: Buffer[] = [];
  const getTypeParser = (oid: number) => (text: string) => {
    parts.push(Buffer.from(`${text}\n`));
    if (oid === BYTEA) parts.push(Buffer.from(text.slice(2), 'hex'), Buffer.from('\n'));
  };
  for (const { name } of tables) {
    parts.push(Buffer.from(`${name}\n`));
    await pool.query({ text: `select * from ${name}`, types: { getTypeParser } as never });
  }
  return Buffer.concat(parts);
}
