import type { IncomingMessage } from 'node:http';

export type ModelProtocol = 'anthropic' | 'openai' | 'google' | 'openai-compatible';

/** One call as the server received it, the same for all protocols. */
export interface SeenCall {
  protocol: ModelProtocol;
  model: string;
  key: string | undefined;
  instructions: string;
  /** Texts, tool calls and tool results of the conversation, in order. */
  messages: SeenMessage[];
  tools: string[];
  maxOutputTokens: number | undefined;
  body: Record<string, unknown>;
}

export type SeenMessage =
  | { role: 'user' | 'assistant'; text: string }
  | { role: 'call'; name: string; input: unknown }
  | { role: 'result'; text: string };

export interface Reply {
  text?: string;
  calls?: readonly { name: string; input: unknown }[];
  /** Null: the provider does not count. */
  usage?: { input: number; output: number; cached?: number } | null;
  finish?: 'length';
  /** Something that the provider expects back with the next call. */
  signature?: string;
  /** An error instead of an answer, and its message. */
  status?: number;
  message?: string;
  headers?: Record<string, string>;
  /** The connection breaks in the middle of the answer, or before it. */
  breaks?: 'in the middle' | 'at once';
  delayMs?: number;
  /** Whether the answer is one event, or many: the openai-compatible protocol only. */
  pace?: 'whole' | 'letters';
}

/** A protocol: how a call is read, and how an answer is streamed. */
export interface Protocol {
  read(body: Record<string, unknown>, request: IncomingMessage): Omit<SeenCall, 'protocol' | 'body'>;
  /** Events of the stream, each with its line breaks. */
  write(reply: Reply): string[];
  error(message: string): unknown;
}
