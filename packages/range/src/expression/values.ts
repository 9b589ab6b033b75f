/** Every value that an expression can access: none of them leads to the process. */
export type Value = string | number | boolean | undefined | Value[] | { readonly [name: string]: Value };

export interface World {
  names?: Readonly<Record<string, Value>>;
  functions?: Readonly<Record<string, (...values: Value[]) => Value>>;
  /** For XPath: returns what a path selects. */
  path?: (path: string) => Value;
}

const LONGEST = 2_000;

export const METHODS: Record<string, (self: Value, ...values: Value[]) => Value> = {
  toUpperCase: (self) => String(self).toUpperCase(),
  toLowerCase: (self) => String(self).toLowerCase(),
  concat: (self, ...values) => [self, ...values].join('').slice(0, LONGEST),
  repeat: (self, times) =>
    String(self)
      .repeat(Math.max(0, Math.min(Number(times) || 0, 20)))
      .slice(0, LONGEST),
  charAt: (self, at) => String(self).charAt(Number(at)),
  toString: (self: Value) => String(self),
  max: (_self, ...values) => Math.max(...values.map(Number)),
  split: (self, by) => String(self).split(String(by)),
  reverse: (self) => (Array.isArray(self) ? self.toReversed() : self),
  join: (self, by) => (Array.isArray(self) ? self.join(String(by ?? ',')).slice(0, LONGEST) : self),
};

export function compute(sign: string, left: Value, right: Value): Value {
  if (sign === '+') {
    if (typeof left === 'number' && typeof right === 'number') return left + right;
    return `${left}${right}`.slice(0, LONGEST);
  }
  if (sign.startsWith('==')) return left === right || (sign === '==' && String(left) === String(right));
  if (sign.startsWith('!=')) return !compute(sign.replace('!', '='), left, right);
  const [one, other] = [Number(left), Number(right)];
  const signs: Record<string, () => Value> = {
    '-': () => one - other,
    '*': () => one * other,
    '/': () => one / other,
    '%': () => one % other,
    '<': () => one < other,
    '>': () => one > other,
    '<=': () => one <= other,
    '>=': () => one >= other,
  };
  return signs[sign]?.();
}
