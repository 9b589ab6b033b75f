import type { Protocol, SeenMessage } from './protocol.ts';
import { dataEvent, inParts, partsOf } from './stream.ts';

interface GeneratePart {
  text?: string;
  functionCall?: { name: string; args: unknown };
  functionResponse?: { name: string; response: unknown };
}

/** The generated content of Google. */
export const google: Protocol = {
  read(body, request) {
    const system = body.systemInstruction as { parts: GeneratePart[] } | undefined;
    const { maxOutputTokens } = (body.generationConfig ?? {}) as { maxOutputTokens?: number };
    return {
      model: /models\/([^:]+):/.exec(request.url ?? '')?.[1] ?? '',
      key: request.headers['x-goog-api-key'] as string | undefined,
      instructions: system?.parts.map(({ text }) => text).join('\n') ?? '',
      messages: partsOf(body.contents).flatMap(toSeen),
      tools: partsOf(body.tools).flatMap(({ functionDeclarations }) =>
        partsOf(functionDeclarations).map(({ name }) => String(name)),
      ),
      maxOutputTokens,
    };
  },
  write({ text = '', calls = [], usage = { input: 100, output: 20 }, finish, signature }) {
    const signed = signature === undefined ? {} : { thoughtSignature: signature };
    const parts = [
      ...inParts(text).map((part) => ({ text: part })),
      ...calls.map(({ name, input }) => ({ functionCall: { name, args: input }, ...signed })),
    ];
    const counted = usage && {
      promptTokenCount: usage.input,
      cachedContentTokenCount: usage.cached ?? 0,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    };
    const end = { content: { role: 'model', parts: [] }, finishReason: finish === 'length' ? 'MAX_TOKENS' : 'STOP' };
    return [
      ...parts.map((part) => dataEvent({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }] })),
      dataEvent({ candidates: [end], ...(counted && { usageMetadata: counted }) }),
    ];
  },
  error: (message) => ({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
};

function toSeen({ role, parts }: Record<string, unknown>): SeenMessage[] {
  return (partsOf(parts) as GeneratePart[]).flatMap((part): SeenMessage[] => {
    if (part.functionCall) return [{ role: 'call', name: part.functionCall.name, input: part.functionCall.args }];
    if (part.functionResponse) return [{ role: 'result', text: JSON.stringify(part.functionResponse.response) }];
    return [{ role: role === 'user' ? 'user' : 'assistant', text: part.text ?? '' }];
  });
}
