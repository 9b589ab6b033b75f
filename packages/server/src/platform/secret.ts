import { inspect } from 'node:util';

/** A value that must not reach a log: however it is printed, only `reveal()` gives it away. */
export interface Secret {
  reveal(): string;
  toString(): string;
  toJSON(): string;
}

export function createSecret(value: string): Secret {
  const hidden = () => '[secret]';
  return Object.freeze({ reveal: () => value, toString: hidden, toJSON: hidden, [inspect.custom]: hidden });
}
