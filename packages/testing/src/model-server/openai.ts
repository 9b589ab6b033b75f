import type { Protocol, Reply, SeenMessage } from './protocol.ts';
import { dataEvent, inParts, partsOf, textOf } from './stream.ts';

/** The responses of OpenAI. */
export const openai: Protocol = {
  read(body, request) {
    const items = partsOf(body.input);
    const isSystem = ({ role }: Record<string, unknown>) => role === 'system' || role === 'developer';
    return {
      model: String(body.model),
      key: request.headers.authorization?.replace('Bearer ', ''),
      instructions: items
        .filter(isSystem)
        .map(({ content }) => textOf(content))
        .join('\n'),
      messages: items.filter((item) => !isSystem(item)).flatMap(toSeen),
      tools: partsOf(body.tools).map(({ name }) => String(name)),
      maxOutputTokens: body.max_output_tokens as number | undefined,
    };
  },
  write(reply) {
    const { finish, usage = { input: 100, output: 20 } } = reply;
    const counted = usage && {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached ?? 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
    };
    const type = finish === 'length' ? 'response.incomplete' : 'response.completed';
    const details = finish === 'length' ? { reason: 'max_output_tokens' } : null;
    return [
      dataEvent({ type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'scripted' } }),
      ...itemsOf(reply),
      ...(counted ? [dataEvent({ type, response: { incomplete_details: details, usage: counted } })] : []),
    ];
  },
  error: (message) => ({ error: { message, type: 'server_error', param: null, code: null } }),
};

function toSeen(item: Record<string, unknown>): SeenMessage[] {
  if (item.type === 'function_call') {
    return [{ role: 'call', name: String(item.name), input: JSON.parse(String(item.arguments)) }];
  }
  if (item.type === 'function_call_output') return [{ role: 'result', text: String(item.output) }];
  if (item.role === 'user' || item.role === 'assistant') return [{ role: item.role, text: textOf(item.content) }];
  return [];
}

function itemsOf({ text = '', calls = [] }: Reply): string[] {
  const message = { type: 'message', id: 'msg_1', role: 'assistant' };
  const said = [
    dataEvent({ type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } }),
    ...inParts(text).map((delta) =>
      dataEvent({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta }),
    ),
    dataEvent({
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...message, content: [{ type: 'output_text', text, annotations: [] }] },
    }),
  ];
  const used = calls.flatMap(({ name, input }, index) => {
    const [output_index, id] = [index + 1, `fc_${index}`];
    const item = { type: 'function_call', id, call_id: `call_${index}`, name };
    const written = JSON.stringify(input);
    const delta = (part: string) =>
      dataEvent({ type: 'response.function_call_arguments.delta', item_id: id, output_index, delta: part });
    return [
      dataEvent({ type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } }),
      ...inParts(written).map(delta),
      dataEvent({
        type: 'response.output_item.done',
        output_index,
        item: { ...item, arguments: written, status: 'completed' },
      }),
    ];
  });
  return [...(text === '' ? [] : said), ...used];
}
