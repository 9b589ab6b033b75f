import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ModelMessage, ModelRequest } from '@sortie/engine';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/** Translates a request to the prompt of the AI SDK. */
export function toPrompt({ instructions, messages }: ModelRequest): LanguageModelV4Prompt {
  const system = { role: 'system' as const, content: instructions };
  return instructions === '' ? messages.map(toMessage) : [system, ...messages.map(toMessage)];
}

function toMessage(message: ModelMessage): LanguageModelV4Message {
  if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.text }] };
  if (message.role === 'assistant') return { role: 'assistant', content: toContent(message) };
  return {
    role: 'tool',
    content: message.results.map(({ id, name, text }) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: name,
      output: { type: 'text', value: text },
    })),
  };
}

function toContent({ text, calls, raw }: Extract<ModelMessage, { role: 'assistant' }>): AssistantContent {
  const own = raw === null ? undefined : parseContent(raw);
  if (own) return own;
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input })),
  ];
}

/** Returns parts as `readAnswer` wrote them; undefined for anything else, because the engine is not trusted. */
function parseContent(raw: string): AssistantContent | undefined {
  try {
    const parts: unknown = JSON.parse(raw);
    return Array.isArray(parts) && parts.length > 0 && parts.every(isPart) ? parts : undefined;
  } catch {
    return undefined;
  }
}

function isPart(part: unknown): part is AssistantContent[number] {
  if (typeof part !== 'object' || part === null || !('type' in part)) return false;
  if (part.type === 'text' || part.type === 'reasoning') return 'text' in part && typeof part.text === 'string';
  return part.type === 'tool-call' && 'toolCallId' in part && 'toolName' in part && 'input' in part;
}
