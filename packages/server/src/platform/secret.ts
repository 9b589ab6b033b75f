import { inspect } from 'node:util';

/** A value that must not reach a log: only `reveal()` returns it, in whatever way it is printed. */
export interface Secret {
  reveal(): string;
  toString(): string;
  toJSON(): string;
}

/** Returns a value that is shown as `[secret]` wherever it is printed. */
export function createSecret(value: string): Secret {
  const hidden = () => '[secret]';
  return Object.freeze({ reveal: () => value, toString: hidden, toJSON: hidden, [inspect.custom]: hidden });
}
