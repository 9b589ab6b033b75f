import { z } from 'zod';
import { Phase } from './phase.ts';

/** Size limits of a call. The worker refuses what exceeds them; the engine stays below. */
export const modelLimits = {
  instructions: 40_000,
  messages: 400,
  text: 200_000,
  calls: 50,
  tools: 40,
  /** What a provider needs back with the next call, for example signatures of its reasoning. */
  raw: 500_000,
} as const;
const most = modelLimits;

const text = z.string().max(most.text);
const id = z.string().min(1).max(200);
const name = z.string().regex(/^[a-z][a-z0-9_]{0,60}$/);
const json = z.record(z.string(), z.unknown());

/** A tool that the model wants to use. `input` is what it wrote: unchecked. */
const ToolCall = z.strictObject({ id, name: z.string().max(200), input: z.unknown() });
/** A tool call in the answer of a model. */
export type ToolCall = z.infer<typeof ToolCall>;

/** A message of a conversation with a model. */
export const ModelMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), text }),
  z.strictObject({
    role: z.literal('assistant'),
    text,
    calls: z.array(ToolCall).max(most.calls),
    /** As the answer gave it. */
    raw: z.string().max(most.raw).nullable(),
  }),
  z.strictObject({ role: z.literal('tool'), results: z.array(z.strictObject({ id, name, text })).max(most.calls) }),
]);
export type ModelMessage = z.infer<typeof ModelMessage>;

const ModelTool = z.strictObject({
  name,
  description: z.string().max(2_000),
  /** JSON Schema of the input. */
  parameters: json,
});
/** A tool that a model may call. */
export type ModelTool = z.infer<typeof ModelTool>;

/** What a model is asked. The worker chooses the model. */
export const ModelRequest = z.strictObject({
  instructions: z.string().max(most.instructions),
  messages: z.array(ModelMessage).min(1).max(most.messages),
  tools: z.array(ModelTool).max(most.tools),
  /** Lowered to what the model and the operator allow. */
  maxOutputTokens: z.int().min(1).max(1_000_000),
});
export type ModelRequest = z.infer<typeof ModelRequest>;

/** Asks the worker for one call of the model. The engine holds no key, and opens no connection for it. */
export const AskMessage = z.strictObject({
  type: z.literal('ask'),
  /** Unique among the calls of this attempt that are not answered yet. */
  id,
  phase: Phase,
  specialist: z.string().regex(/^[a-z][a-z -]{0,60}$/),
  /** Which instructions and tools these are, as a version. */
  promptVersion: z.string().regex(/^[a-z0-9.-]{1,40}$/),
  /** Whether the call closes the run; only such calls may use the last tenth of the budget. */
  isClosing: z.boolean(),
  /** The most that all calls of the specialist may cost, in microdollars; null without a limit of its own. */
  share: z.int().min(0).max(1_000_000_000_000).nullable(),
  request: ModelRequest,
});
export type AskMessage = z.infer<typeof AskMessage>;

/** The answer of a model: text, tool calls and how it ended. */
export interface ModelAnswered {
  kind: 'answered';
  text: string;
  calls: ToolCall[];
  /** `length`: the answer was cut at its limit; `refused`: the provider's filter stopped it. */
  finish: 'stop' | 'tools' | 'length' | 'refused';
  /** To be returned with the message in the next call; null if nothing is needed or it is too long. */
  raw: string | null;
}

/**
 * Why there is no answer: the purse refuses the call, the request is larger than the model's context, or the provider
 * does not answer. After UNAVAILABLE, the attempt makes no further calls.
 */
export interface ModelRefused {
  kind: 'refused';
  reason: 'BUDGET' | 'SHARE' | 'CALLS' | 'OVERRUN' | 'TOO_LARGE' | 'UNAVAILABLE';
}

/** The outcome of a model call: the model's answer, or why there is none. */
export type ModelAnswer = ModelAnswered | ModelRefused;

/** The model of a run, as far as the engine has to know it. */
export interface Planner {
  provider: string;
  model: string;
  contextTokens: number;
  maxOutputTokens: number;
  /** Concurrent calls. */
  callsAtOnce: number;
  budgetMicrodollars: number;
}
