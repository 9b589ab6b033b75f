import { readTokens, type Token } from './tokens.ts';
import { compute, METHODS, type Value, type World } from './values.ts';

/** Evaluated lazily, because the branch of a false condition must not run. */
type Thunk = () => Value;

interface Reader {
  tokens: readonly Token[];
  at: number;
  depth: number;
  world: World;
}

const LEVELS = [['||'], ['&&'], ['==', '!=', '===', '!=='], ['<', '>', '<=', '>='], ['+', '-'], ['*', '/', '%']];
const MOST_PARTS = 400;

const isNext = ({ tokens, at }: Reader, ...signs: string[]) =>
  tokens[at]?.kind === 'sign' && signs.includes(String(tokens[at]?.value));

const nextOf = ({ tokens, at }: Reader) => String(tokens[at]?.value ?? 'end of expression');

function take(reader: Reader, sign: string): void {
  if (!isNext(reader, sign)) throw new SyntaxError(`expected '${sign}', got '${nextOf(reader)}'`);
  reader.at++;
}

function join(sign: string, left: Thunk, right: Thunk): Thunk {
  if (sign === '||') return () => left() || right();
  if (sign === '&&') return () => left() && right();
  return () => compute(sign, left(), right());
}

function level(reader: Reader, index: number): Thunk {
  const signs = LEVELS[index];
  if (!signs) return unary(reader);
  let left = level(reader, index + 1);
  while (isNext(reader, ...signs)) {
    const sign = nextOf(reader);
    reader.at++;
    left = join(sign, left, level(reader, index + 1));
  }
  return left;
}

function unary(reader: Reader): Thunk {
  if (++reader.depth > MOST_PARTS) throw new SyntaxError('expression too deep');
  if (!isNext(reader, '!', '-')) return members(reader, primary(reader));
  const sign = nextOf(reader);
  reader.at++;
  const value = unary(reader);
  return sign === '!' ? () => !value() : () => -Number(value());
}

function members(reader: Reader, start: Thunk): Thunk {
  let self = start;
  while (isNext(reader, '.')) {
    reader.at++;
    const name = nextOf(reader);
    reader.at++;
    self = isNext(reader, '(') ? methodOf(self, name, valuesOf(reader)) : memberOf(self, name);
  }
  return self;
}

function methodOf(self: Thunk, name: string, values: readonly Thunk[]): Thunk {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  return () => method?.(self(), ...values.map((value) => value()));
}

function memberOf(self: Thunk, name: string): Thunk {
  return () => {
    const value = self();
    if (typeof value === 'string' || Array.isArray(value)) return name === 'length' ? value.length : undefined;
    return typeof value === 'object' && Object.hasOwn(value, name) ? value[name] : undefined;
  };
}

function valuesOf(reader: Reader): Thunk[] {
  take(reader, '(');
  const values: Thunk[] = [];
  while (!isNext(reader, ')')) {
    values.push(level(reader, 0));
    if (!isNext(reader, ')')) take(reader, ',');
  }
  take(reader, ')');
  return values;
}

function primary(reader: Reader): Thunk {
  const { tokens, world } = reader;
  if (isNext(reader, '(')) {
    take(reader, '(');
    const value = level(reader, 0);
    take(reader, ')');
    return value;
  }
  const token = tokens[reader.at];
  if (token === undefined || token.kind === 'sign') throw new SyntaxError(`unexpected '${nextOf(reader)}'`);
  reader.at++;
  if (token.kind === 'path') return () => world.path?.(token.value);
  return token.kind === 'name' ? named(reader, token.value) : () => token.value;
}

function named(reader: Reader, name: string): Thunk {
  const { names = {}, functions = {} } = reader.world;
  if (name === 'true' || name === 'false') return () => name === 'true';
  if (!isNext(reader, '(')) return () => (Object.hasOwn(names, name) ? names[name] : undefined);
  const call = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!call) throw new SyntaxError(`'${name}' is not a function`);
  const values = valuesOf(reader);
  return () => call(...values.map((value) => value()));
}

/**
 * Evaluates a small expression language like those of templates and databases. Throws a SyntaxError if the text is
 * invalid.
 */
export function evaluate(text: string, world: World = {}): Value {
  const reader: Reader = { tokens: readTokens(text, world.path !== undefined), at: 0, depth: 0, world };
  const value = level(reader, 0);
  if (reader.at < reader.tokens.length) throw new SyntaxError(`unexpected '${nextOf(reader)}'`);
  return value();
}
