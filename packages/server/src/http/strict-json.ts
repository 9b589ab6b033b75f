import { randomBase62 } from '../platform/new-id.ts';

/** Refuses a JSON body that different parsers would read differently, or that the database cannot store. */
export class JsonRefusal extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.name = 'JsonRefusal';
    this.field = field;
  }
}

const MAX_DEPTH = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses I-JSON (RFC 7493): UTF-8, no duplicate member names, no lone surrogates. Also rejects NUL and deep nesting.
 * Members of the body named in `ids` may contain any text; characters that no id contains are replaced.
 */
export function parseStrictJson(bytes: Uint8Array, ids: readonly string[] = []): unknown {
  const { text, hidden } = hideEscapedNames(decode(bytes));
  const value = parse(text);
  inspect(text, hidden, ids);
  return withStorableIds(hidden.size === 0 ? value : showNames(value, hidden), ids);
}

function withStorableIds(value: unknown, ids: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const id of ids) {
    const content = members[id];
    if (typeof content === 'string') members[id] = content.toWellFormed().replaceAll('\0', '\ufffd');
  }
  return members;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonRefusal('body', 'The body is not valid UTF-8.');
  }
}

/** Placeholder prefix for names hidden from the parser; random, so that clients cannot use it in names of their own. */
const HIDDEN = `hidden-${randomBase62(16)}-`;

/**
 * V8 can confuse a member name written with escapes with one that an earlier body had in the same place
 * (nodejs/node#63785), so no such name may reach its parser. Names are rewritten without escapes where possible, and
 * otherwise replaced by placeholders until parsing is done.
 */
function hideEscapedNames(text: string): { text: string; hidden: Map<string, string> } {
  const hidden = new Map<string, string>();
  if (!text.includes('\\')) return { text, hidden };
  let plain = '';
  let copied = 0;
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = endOfString(text, start);
    const literal = text.slice(start, end + 1);
    if (literal.includes('\\') && isFollowedByColon(text, end + 1)) {
      plain += `${text.slice(copied, start)}"${plainName(literal, hidden)}"`;
      copied = end + 1;
    }
    start = text.indexOf('"', end + 1);
  }
  return { text: plain + text.slice(copied), hidden };
}

function plainName(literal: string, hidden: Map<string, string>): string {
  const name = parse(literal) as string;
  if (JSON.stringify(name) === `"${name}"`) return name;
  const standIn = `${HIDDEN}${hidden.size}`;
  hidden.set(standIn, name);
  return standIn;
}

function showNames(value: unknown, hidden: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((element) => showNames(element, hidden));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [hidden.get(name) ?? name, showNames(member, hidden)]),
  );
}

function isFollowedByColon(text: string, position: number): boolean {
  const colon = /[ \t\n\r]*:/y;
  colon.lastIndex = position;
  return colon.test(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which may contain a password.
    throw new JsonRefusal('body', 'The body is not valid JSON.');
  }
}

interface Container {
  /** Member names seen so far; undefined for an array. */
  names: Set<string> | undefined;
  index: number;
  /** The member being read. */
  name: string;
}

/** Appends a member name or an array index to a path such as `credentials[1].name`. */
export function joinPath(parts: readonly PropertyKey[]): string {
  let path = '';
  for (const part of parts) {
    if (typeof part === 'number') path += `[${part}]`;
    else path += path === '' ? String(part) : `.${String(part)}`;
  }
  return path;
}

function pathOf(open: Container[]): string {
  return joinPath(open.map((container) => (container.names ? container.name : container.index))) || 'body';
}

/** Scans text that JSON.parse has accepted, so only strings and brackets have to be recognized. */
function inspect(text: string, hidden: Map<string, string>, ids: readonly string[]): void {
  const open: Container[] = [];
  let atName = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    const current = open.at(-1);
    if (character === '{' || character === '[') {
      if (open.length === MAX_DEPTH)
        throw new JsonRefusal('body', `The body is nested deeper than ${MAX_DEPTH} levels.`);
      open.push({ names: character === '{' ? new Set() : undefined, index: 0, name: '' });
      atName = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
      atName = false;
    } else if (character === ',') {
      if (current && !current.names) current.index++;
      atName = current?.names !== undefined;
    } else if (character === '"') {
      const end = endOfString(text, i);
      const content = JSON.parse(text.slice(i, end + 1)) as string;
      if (atName && current?.names) enterMember(open, current, hidden.get(content) ?? content);
      else refuseUnstorable(content, () => pathOf(open), ids);
      atName = false;
      i = end;
    }
  }
}

function enterMember(open: Container[], current: Container, name: string): void {
  const repeated = current.names?.has(name);
  current.names?.add(name);
  current.name = name;
  refuseUnstorable(name, () => 'body');
  if (repeated) throw new JsonRefusal(pathOf(open), 'Duplicate member.');
  // Assigning `__proto__` would change the object's prototype instead of adding a member, so schema validation would
  // never see it.
  if (name === '__proto__') throw new JsonRefusal(pathOf(open), 'Unknown member.');
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i;
}

function refuseUnstorable(content: string, path: () => string, ids: readonly string[] = []): void {
  const isWellFormed = content.isWellFormed();
  if ((isWellFormed && !content.includes('\0')) || ids.includes(path())) return;
  const what = isWellFormed ? 'a NUL character' : 'an unpaired surrogate';
  throw new JsonRefusal(path(), `The text contains ${what}.`);
}
