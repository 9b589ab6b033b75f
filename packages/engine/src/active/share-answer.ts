import type { Exchange } from '../http/exchange/exchange.ts';
import type { RunMemory } from './run-memory.ts';

interface Answered {
  response: Exchange['response'];
}

interface Shared<Key, Value extends Answered> {
  memory: Pick<RunMemory, 'once'>;
  /** Names what is shared, together with the key. */
  make(key: Key, ask: () => Promise<Value>): Promise<Value>;
  key: Key;
}

/**
 * Resolves to a response that several probes use and one requests. None of an overloaded target is shared: a probe that
 * uses it would not have tested anything.
 */
export async function shareAnswer<Key, Value extends Answered>(
  { memory, make, key }: Shared<Key, Value>,
  ask: () => Promise<Value>,
): Promise<Value> {
  let isOwn = false;
  const shared = await memory.once(make, key, () => {
    isOwn = true;
    return ask();
  });
  return isOwn || isHandled(shared) ? shared : ask();
}

const isHandled = ({ response }: Answered) => response !== null && response.status < 500 && response.status !== 429;
