import type { ModelRequest } from '@sortie/engine';

/** Tokens that providers add for each message and tool in their own format. */
const PER_PART = 40;
/** The largest prompt that a provider is known to add for tools. */
const PER_REQUEST = 1_000;

/**
 * Returns an upper bound of the request's tokens: a token of any common tokenizer has at least one byte. The purse
 * reserves them, and releases those that the provider does not count.
 */
export function countInput(request: ModelRequest): number {
  const { instructions, messages, tools } = request;
  const bytes = Buffer.byteLength(JSON.stringify({ instructions, messages, tools }));
  const parts = messages.reduce((sum, message) => sum + partsOf(message), 1 + tools.length);
  return bytes + parts * PER_PART + PER_REQUEST;
}

function partsOf(message: ModelRequest['messages'][number]): number {
  if (message.role === 'assistant') return 1 + message.calls.length;
  return message.role === 'tool' ? message.results.length : 1;
}

/** Returns the approximate number of tokens, to decide whether the request fits into a context. */
export const estimateInput = (request: ModelRequest) => Math.ceil(countInput(request) / 3);
