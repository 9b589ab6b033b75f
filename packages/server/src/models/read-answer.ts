import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { type ModelAnswered, modelLimits, type ToolCall } from '@sortie/engine';
import type { Usage } from '../billing/model-price.ts';
import { toStorable } from '../db/to-storable.ts';

type Content = Record<string, unknown> & { type: 'text' | 'reasoning' | 'tool-call' };

export interface ReadAnswer {
  answer: ModelAnswered;
  /** Undefined if the provider counted no tokens. */
  usage: Usage | undefined;
}

/** Longer than any model may write here; ends a provider that does not stop. */
const MOST_CHARACTERS = 4_000_000;

/** Reads a streamed answer to its end. Throws if the stream breaks, because then its cost is unknown. */
export async function readAnswer(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<ReadAnswer> {
  const content: Content[] = [];
  const open = new Map<string, Content & { text: string }>();
  let ended: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined;
  let characters = 0;
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'finish') ended = part;
    if (part.type === 'text-start' || part.type === 'reasoning-start') {
      const started = { type: part.type === 'text-start' ? ('text' as const) : ('reasoning' as const), text: '' };
      open.set(part.id, started);
      content.push(started);
    }
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      const each = open.get(part.id);
      if (each) each.text += part.delta;
      characters += part.delta.length;
    }
    if (part.type === 'tool-call') {
      const { toolCallId, toolName, input } = part;
      content.push({ type: 'tool-call', toolCallId, toolName, input: parseInput(input), ...returned(part) });
      characters += input.length;
    } else if ('id' in part && 'providerMetadata' in part) {
      Object.assign(open.get(String(part.id)) ?? {}, returned(part));
    }
    if (characters > MOST_CHARACTERS) throw new Error('the answer of the model does not end');
  }
  if (!ended || ended.finishReason.unified === 'error' || ended.finishReason.unified === 'interrupted') {
    throw new Error('the answer of the model ended early');
  }
  // Converted through JSON, so that it equals the stored answer that a later attempt gets.
  const answer: ModelAnswered = JSON.parse(toStorable(toAnswer(content, ended.finishReason)));
  return { answer, usage: toUsage(ended.usage) };
}

/** Providers expect the data that they attached to a part back with that part. */
const returned = ({ providerMetadata }: { providerMetadata?: unknown }) =>
  providerMetadata === undefined ? {} : { providerOptions: providerMetadata };

function toAnswer(content: readonly Content[], finish: LanguageModelV4FinishReason): ModelAnswered {
  const calls = content.filter(({ type }) => type === 'tool-call').map(toCall);
  const texts = content.filter(({ type }) => type === 'text').map(({ text }) => String(text));
  const raw = JSON.stringify(content);
  const isNeeded = content.some((part) => part.type === 'reasoning' || 'providerOptions' in part);
  return {
    kind: 'answered',
    text: texts.join('\n').slice(0, modelLimits.text),
    calls: calls.slice(0, modelLimits.calls),
    finish: toFinish(finish, calls),
    raw: isNeeded && raw.length <= modelLimits.raw && calls.length <= modelLimits.calls ? raw : null,
  };
}

const toCall = ({ toolCallId, toolName, input }: Content): ToolCall => ({
  id: String(toolCallId).slice(0, 200),
  name: String(toolName).slice(0, 200),
  input,
});

/** Text that is not JSON stays text, so that the tool refuses it with a message for the model. */
function parseInput(input: string): unknown {
  try {
    return JSON.parse(input === '' ? '{}' : input);
  } catch {
    return input;
  }
}

function toFinish({ unified }: LanguageModelV4FinishReason, calls: readonly ToolCall[]): ModelAnswered['finish'] {
  if (unified === 'length') return 'length';
  if (unified === 'content-filter') return 'refused';
  return calls.length > 0 ? 'tools' : 'stop';
}

const isCount = (value: number | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | undefined {
  const [input, output] = [inputTokens.total, outputTokens.total];
  // Every call has input, so 0 means that the provider counted nothing.
  if (!isCount(input) || !isCount(output) || input === 0) return undefined;
  const { cacheRead, cacheWrite } = inputTokens;
  return {
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: isCount(cacheRead) ? cacheRead : 0,
    cacheWriteTokens: isCount(cacheWrite) ? cacheWrite : 0,
  };
}
