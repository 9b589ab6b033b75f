import type { Protocol, Reply, SeenMessage } from './protocol.ts';
import { inParts, partsOf, textOf } from './stream.ts';

/** The messages of Anthropic. */
export const anthropic: Protocol = {
  read(body, request) {
    return {
      model: String(body.model),
      key: request.headers['x-api-key'] as string | undefined,
      instructions: textOf(body.system),
      messages: partsOf(body.messages).flatMap(toSeen),
      tools: partsOf(body.tools).map(({ name }) => String(name)),
      maxOutputTokens: body.max_tokens as number | undefined,
    };
  },
  write(reply) {
    const { usage = { input: 100, output: 20 }, calls = [], finish } = reply;
    const reason = finish === 'length' ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
    const input = (usage?.input ?? 0) - (usage?.cached ?? 0);
    const counted = { input_tokens: input, cache_read_input_tokens: usage?.cached ?? 0, output_tokens: 1 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [], usage: counted };
    return [
      event('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } }),
      ...blocksOf(reply).flatMap(({ start, deltas }, index) => [
        event('content_block_start', { index, content_block: start }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', {
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: usage?.output ?? 0 },
      }),
      event('message_stop', {}),
    ];
  },
  error: (message) => ({ type: 'error', error: { type: 'overloaded_error', message } }),
};

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

function toSeen({ role, content }: Record<string, unknown>): SeenMessage[] {
  if (typeof content === 'string') return [{ role: role === 'user' ? 'user' : 'assistant', text: content }];
  return partsOf(content).flatMap((part): SeenMessage[] => {
    if (part.type === 'tool_use') return [{ role: 'call', name: String(part.name), input: part.input }];
    if (part.type === 'tool_result') return [{ role: 'result', text: textOf(part.content) }];
    if (part.type === 'text') return [{ role: role === 'user' ? 'user' : 'assistant', text: String(part.text) }];
    return [];
  });
}

function blocksOf({ text = '', calls = [], signature }: Reply): { start: object; deltas: object[] }[] {
  const thought = {
    start: { type: 'thinking', thinking: '' },
    deltas: [
      { type: 'thinking_delta', thinking: 'a thought' },
      { type: 'signature_delta', signature },
    ],
  };
  const said = {
    start: { type: 'text', text: '' },
    deltas: inParts(text).map((part) => ({ type: 'text_delta', text: part })),
  };
  const used = calls.map(({ name, input }, index) => ({
    start: { type: 'tool_use', id: `toolu_${index}`, name, input: {} },
    deltas: inParts(JSON.stringify(input)).map((part) => ({ type: 'input_json_delta', partial_json: part })),
  }));
  return [...(signature === undefined ? [] : [thought]), ...(text === '' ? [] : [said]), ...used];
}
