/** A value that must not reach a log: printing and serializing it yield a placeholder, only `reveal()` returns it. */
export interface Secret {
  reveal(): string;
  toString(): string;
  toJSON(): string;
}

/** Wraps a confidential value. It is revealed only in the request that sends it. */
export function createSecret(value: string): Secret {
  const hidden = () => '[secret]';
  // Node's console and util.inspect call this symbol; other runtimes ignore it.
  const inspect = Symbol.for('nodejs.util.inspect.custom');
  return Object.freeze({ reveal: () => value, toString: hidden, toJSON: hidden, [inspect]: hidden });
}

/** Duck-typed, so that secrets from another copy of the SDK are recognized. */
const isSecret = (value: object): value is Secret => 'reveal' in value && typeof value.reveal === 'function';

export const revealText = (value: string | Secret): string => (typeof value === 'string' ? value : value.reveal());

/** Returns a copy of the data with every secret revealed. Send it at once and do not store it. */
export function revealAll(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isSecret(value)) return value.reveal();
  if (Array.isArray(value)) return value.map(revealAll);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, revealAll(field)]));
}
