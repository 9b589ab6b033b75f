/** The part of the GraphQL language that clients use. */

export type Literal =
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'variable'; name: string }
  | { kind: 'list'; values: Literal[] }
  | { kind: 'object'; fields: Record<string, Literal> };

export interface Field {
  kind: 'field';
  name: string;
  alias: string;
  values: Record<string, Literal>;
  selection: Selection[];
}

export type Selection = Field | { kind: 'spread'; fragment: string } | { kind: 'inline'; selection: Selection[] };

export interface Query {
  operation: 'query' | 'mutation';
  selection: Selection[];
  fragments: Map<string, Selection[]>;
}

const TOKEN = /(?:[\s,]|#[^\n]*(?:\n|$))*(\.\.\.|[{}()[\]:$!=@|]|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?|[A-Za-z_]\w*)/y;
const MOST_TOKENS = 3_000;
const DEEPEST = 30;

function readTokens(text: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; ; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[1];
    if (token !== undefined && tokens.length < MOST_TOKENS) {
      tokens.push(token);
      continue;
    }
    const [rest] = text.slice(at).replaceAll(/[\s,]|#[^\n]*/g, '');
    if (rest === undefined) return tokens;
    throw new SyntaxError(`Syntax Error: Unexpected character: "${rest}".`);
  }
}

interface Reader {
  tokens: string[];
  at: number;
}

const peek = ({ tokens, at }: Reader) => tokens[at] ?? '<EOF>';

function take(reader: Reader, expected?: string): string {
  const token = peek(reader);
  if (token === '<EOF>' || (expected !== undefined && token !== expected)) {
    throw new SyntaxError(`Syntax Error: Expected ${expected ?? 'Name'}, found ${token}.`);
  }
  reader.at++;
  return token;
}

function isTaken(reader: Reader, token: string): boolean {
  if (peek(reader) !== token) return false;
  reader.at++;
  return true;
}

function literal(reader: Reader): Literal {
  const token = take(reader);
  if (token === '$') return { kind: 'variable', name: take(reader) };
  if (token === '[') {
    const values: Literal[] = [];
    while (!isTaken(reader, ']')) values.push(literal(reader));
    return { kind: 'list', values };
  }
  if (token === '{') return { kind: 'object', fields: pairs(reader, '}') };
  if (token.startsWith('"')) return { kind: 'value', value: String(JSON.parse(token)) };
  const words: Record<string, boolean | null> = { true: true, false: false, null: null };
  const word = Object.hasOwn(words, token) ? words[token] : undefined;
  if (word !== undefined) return { kind: 'value', value: word };
  return { kind: 'value', value: /^-?\d/.test(token) ? Number(token) : token };
}

function pairs(reader: Reader, end: string): Record<string, Literal> {
  const found: Record<string, Literal> = {};
  while (!isTaken(reader, end)) {
    const name = take(reader);
    take(reader, ':');
    found[name] = literal(reader);
  }
  return found;
}

/** Skips directives such as `@include(if: true)`. */
function passDirectives(reader: Reader): void {
  while (isTaken(reader, '@')) {
    take(reader);
    if (isTaken(reader, '(')) pairs(reader, ')');
  }
}

function spread(reader: Reader, depth: number): Selection {
  if (peek(reader) !== 'on' && peek(reader) !== '{' && peek(reader) !== '@') {
    const fragment = take(reader);
    passDirectives(reader);
    return { kind: 'spread', fragment };
  }
  if (isTaken(reader, 'on')) take(reader);
  passDirectives(reader);
  return { kind: 'inline', selection: selectionSet(reader, depth + 1) };
}

function selectionSet(reader: Reader, depth: number): Selection[] {
  if (depth > DEEPEST) throw new SyntaxError('Syntax Error: too deep.');
  take(reader, '{');
  const selection: Selection[] = [];
  while (!isTaken(reader, '}')) {
    if (isTaken(reader, '...')) {
      selection.push(spread(reader, depth));
      continue;
    }
    const first = take(reader);
    const name = isTaken(reader, ':') ? take(reader) : first;
    const values = isTaken(reader, '(') ? pairs(reader, ')') : {};
    passDirectives(reader);
    const own = peek(reader) === '{' ? selectionSet(reader, depth + 1) : [];
    selection.push({ kind: 'field', name, alias: first, values, selection: own });
  }
  return selection;
}

/** Parses the first operation. Throws a SyntaxError with the wording of real servers. */
export function parseQuery(text: string): Query {
  const reader: Reader = { tokens: readTokens(text), at: 0 };
  const fragments: Query['fragments'] = new Map();
  const operations: Omit<Query, 'fragments'>[] = [];
  while (reader.at < reader.tokens.length) {
    if (isTaken(reader, 'fragment')) {
      const name = take(reader);
      take(reader, 'on');
      take(reader);
      fragments.set(name, selectionSet(reader, 0));
      continue;
    }
    const operation = peek(reader) === '{' ? 'query' : take(reader);
    if (operation !== 'query' && operation !== 'mutation') {
      throw new SyntaxError(`Syntax Error: Unexpected Name "${operation}".`);
    }
    // Skips the operation's name and variable declarations: only the uses of variables matter.
    while (peek(reader) !== '{') take(reader);
    operations.push({ operation, selection: selectionSet(reader, 0) });
  }
  const [first] = operations;
  if (!first) throw new SyntaxError('Syntax Error: Unexpected <EOF>.');
  return { ...first, fragments };
}
