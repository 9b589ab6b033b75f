/** A value that must not reach a log: however it is printed, only `reveal()` gives it away. */
export interface Secret {
  reveal(): string;
  toString(): string;
  toJSON(): string;
}

export function createSecret(value: string): Secret {
  const hidden = () => '[secret]';
  // The symbol is what Node prints with; elsewhere it does nothing.
  const inspect = Symbol.for('nodejs.util.inspect.custom');
  return Object.freeze({ reveal: () => value, toString: hidden, toJSON: hidden, [inspect]: hidden });
}

/** By what it does: secrets of other makers are as good. */
const isSecret = (value: object): value is Secret => 'reveal' in value && typeof value.reveal === 'function';

export const revealText = (value: string | Secret): string => (typeof value === 'string' ? value : value.reveal());

/** The same data with every secret in it revealed, to be sent at once and kept nowhere. */
export function revealAll(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isSecret(value)) return value.reveal();
  if (Array.isArray(value)) return value.map(revealAll);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, revealAll(field)]));
}
