/** LDAP filters in the syntax of real servers: `(&(a=b)(|(c=*)(!(d=e))))`. */

export type Entry = Readonly<Record<string, string>>;

type Filter = (entry: Entry) => boolean;

const DEEPEST = 20;

/** Throws a SyntaxError if the text is not a filter. */
export function readFilter(text: string): Filter {
  let at = 0;

  function expect(sign: string): void {
    if (text[at] !== sign) throw new SyntaxError(`Bad search filter (-7) at ${at}`);
    at++;
  }

  function filter(depth: number): Filter {
    if (depth > DEEPEST) throw new SyntaxError('Bad search filter (-7)');
    expect('(');
    const sign = text[at] ?? '';
    const read = '&|!'.includes(sign) && sign !== '' ? combined(sign, depth) : comparison();
    expect(')');
    return read;
  }

  function combined(sign: string, depth: number): Filter {
    at++;
    const parts: Filter[] = [];
    while (text[at] === '(') parts.push(filter(depth + 1));
    if (sign === '!') return (entry) => !parts.every((part) => part(entry));
    return sign === '&' ? (entry) => parts.every((part) => part(entry)) : (entry) => parts.some((part) => part(entry));
  }

  function comparison(): Filter {
    const [whole = '', name = '', value = ''] = /^([A-Za-z]+)=([^()]*)/.exec(text.slice(at)) ?? [];
    if (whole === '') throw new SyntaxError(`Bad search filter (-7) at ${at}`);
    at += whole.length;
    const parts = value
      .split('*')
      .map((part) => part.replaceAll(/\\([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))));
    return (entry) => matches(entry[name], parts);
  }

  const whole = filter(0);
  if (at < text.length) throw new SyntaxError(`Bad search filter (-7) at ${at}`);
  return whole;
}

/** Matches a value against the parts between wildcards. */
function matches(value: string | undefined, parts: readonly string[]): boolean {
  if (value === undefined) return false;
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}

/** Escapes the characters that have a meaning in filters. */
export const escapeFilter = (value: string) =>
  value.replaceAll(/[*()\\\0]/g, (sign) => `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
