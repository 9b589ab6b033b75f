type Value = string | number | boolean;

const TEAS = [
  { kind: 'green', name: 'Sencha' },
  { kind: 'black', name: 'Assam' },
];
type Tea = (typeof TEAS)[number];

const TOKEN = /\s*('[^']*'|"[^"]*"|\d+|\/\*|[\w-]+|!=|[=<>(),])/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (!found) throw new Error('invalid expression');
    tokens.push(found[1] ?? '');
  }
  return tokens;
}

const FUNCTIONS: Record<string, (...values: Value[]) => Value> = {
  // The document has one root element.
  count: (path) => (path === '/*' ? 1 : 0),
  'string-length': (text) => String(text).length,
  concat: (...texts) => texts.join(''),
};

/** Evaluates an XPath predicate for labs. Throws if it is invalid. */
function evaluate(text: string, tea: Tea): boolean {
  const tokens = tokensOf(text);
  const next = () => tokens.shift() ?? '';
  function call(name: string): Value {
    const values: Value[] = [];
    do {
      next();
      values.push(tokens[0] === '/*' ? next() : either());
    } while (tokens[0] === ',');
    if (next() !== ')' || !FUNCTIONS[name]) throw new Error('invalid expression');
    return FUNCTIONS[name](...values);
  }
  function operand(): Value {
    const token = next();
    if (/^['"]/.test(token)) return token.slice(1, -1);
    if (/^\d/.test(token)) return Number(token);
    if (/^[\w-]+$/.test(token)) return tokens[0] === '(' ? call(token) : (tea[token as keyof Tea] ?? '');
    throw new Error('invalid expression');
  }
  function comparison(): Value {
    const left = operand();
    if (tokens[0] === '=') return next() && left === operand();
    return tokens[0] === '!=' ? next() && left !== operand() : left;
  }
  function both(): Value {
    let value = comparison();
    while (tokens[0] === 'and') value = [next(), value, comparison()].every(Boolean);
    return value;
  }
  function either(): Value {
    let value = both();
    while (tokens[0] === 'or') value = [value, next() && both()].some(Boolean);
    return value;
  }
  const value = either();
  if (tokens.length > 0) throw new Error('invalid expression');
  return Boolean(value);
}

/** Returns the names that /teas/tea[condition]/name selects. */
export function findByPath(condition: string): string[] {
  return TEAS.filter((tea) => evaluate(condition, tea)).map(({ name }) => name);
}
