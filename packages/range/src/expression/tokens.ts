export type Token = { kind: 'number'; value: number } | { kind: 'string' | 'name' | 'sign' | 'path'; value: string };

const LONGEST = 600;

/** The operators of XPath, where a slash begins a path. */
const WORDS: Record<string, string> = { or: '||', and: '&&', div: '/', mod: '%', '=': '==' };

const PATTERN =
  /\s*(?:(?<number>\d+(?:\.\d+)?)|'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?<name>string-length(?=\()|[A-Za-z_$][\w$]*)|(?<sign>===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!()=.,[\]?:]))/y;
const PATH = /\s*(?<path>(?:\/{1,2}[\w*@]+)+)/y;

/** Throws a SyntaxError for characters that are not part of the language. */
export function readTokens(text: string, isXPath = false): Token[] {
  if (text.length > LONGEST) throw new SyntaxError('expression too long');
  const tokens: Token[] = [];
  const source = text.trimEnd();
  for (let at = 0; at < source.length; ) {
    const found = (isXPath && match(PATH, source, at)) || match(PATTERN, source, at);
    if (!found?.groups) throw new SyntaxError(`unexpected token '${source.slice(at, at + 10)}'`);
    at += found[0].length;
    tokens.push(toToken(found.groups, isXPath));
  }
  return tokens;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function toToken(
  { number, single, double, name, sign, path }: Record<string, string | undefined>,
  isXPath: boolean,
): Token {
  if (path !== undefined) return { kind: 'path', value: path };
  if (number !== undefined) return { kind: 'number', value: Number(number) };
  const quoted = single ?? double;
  if (quoted !== undefined) return { kind: 'string', value: quoted.replaceAll(/\\(.)/g, '$1') };
  const word = isXPath ? WORDS[name ?? sign ?? ''] : undefined;
  if (word !== undefined) return { kind: 'sign', value: word };
  return name === undefined ? { kind: 'sign', value: sign ?? '' } : { kind: 'name', value: name };
}
