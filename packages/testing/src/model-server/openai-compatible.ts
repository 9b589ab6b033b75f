import type { Protocol, Reply, SeenMessage } from './protocol.ts';
import { dataEvent, inParts, partsOf, textOf } from './stream.ts';

/** The chat completions of OpenAI, as local servers and gateways speak them. */
export const openaiCompatible: Protocol = {
  read(body, request) {
    const messages = partsOf(body.messages);
    return {
      model: String(body.model),
      key: request.headers.authorization?.replace('Bearer ', ''),
      instructions: messages
        .filter(isSystem)
        .map((message) => textOf(message.content))
        .join('\n'),
      messages: messages.filter((message) => !isSystem(message)).flatMap(toSeen),
      tools: partsOf(body.tools).map((tool) => String((tool.function as { name: string }).name)),
      maxOutputTokens: body.max_tokens as number | undefined,
    };
  },
  write(reply) {
    return [...chunksOf(reply).map((delta) => dataEvent(chunk({ delta, finish_reason: null }))), ...ending(reply)];
  },
  error: (message) => ({ error: { message, type: 'error' } }),
};

const isSystem = ({ role }: Record<string, unknown>) => role === 'system' || role === 'developer';

function toSeen(message: Record<string, unknown>): SeenMessage[] {
  if (message.role === 'tool') return [{ role: 'result', text: textOf(message.content) }];
  const calls = partsOf(message.tool_calls).map(({ function: called }): SeenMessage => {
    const { name, arguments: input } = called as { name: string; arguments: string };
    return { role: 'call', name, input: JSON.parse(input) };
  });
  const text = textOf(message.content);
  const own: SeenMessage[] = text === '' ? [] : [{ role: message.role === 'user' ? 'user' : 'assistant', text }];
  return [...own, ...calls];
}

const chunk = (choice: object) => ({
  id: 'chat-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, ...choice }],
});

function chunksOf({ text = '', calls = [], pace }: Reply): object[] {
  if (pace === 'whole') {
    const whole = calls.map(({ name, input }, index) => {
      return { index, id: `call_${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
    });
    return [{ role: 'assistant', content: text, ...(whole.length > 0 && { tool_calls: whole }) }];
  }
  const texts = inParts(text).map((content) => ({ role: 'assistant', content }));
  const tools = calls.flatMap(({ name, input }, index) => {
    const [first = '', second = ''] = inParts(JSON.stringify(input));
    return [
      { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: first } }] },
      { tool_calls: [{ index, function: { arguments: second } }] },
    ];
  });
  return [...texts, ...tools];
}

function ending({ calls = [], finish, usage = { input: 100, output: 20 } }: Reply): string[] {
  const reason = finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const counted = usage && {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
  };
  return [
    dataEvent(chunk({ delta: {}, finish_reason: reason })),
    ...(counted ? [dataEvent({ ...chunk({}), choices: [], usage: counted })] : []),
    'data: [DONE]\n\n',
  ];
}
