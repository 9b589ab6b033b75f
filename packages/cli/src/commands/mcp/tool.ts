import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { CallOptions, Client } from '@sortie/sdk';
import type { z } from 'zod';
import type { Shell } from '../../api/command-context.ts';
import { explainToolFailure } from './explain-tool-failure.ts';
import { createMarks, type Marks } from './marks.ts';
import type { Purse } from './purse.ts';

/** What lasts as long as the process: one client, and what it has spent. */
export interface Session {
  shell: Shell;
  client: Client;
  /** Takes the key out of a text. */
  hide(text: string): string;
  /** Undefined when nothing may be started. */
  purse: Purse | undefined;
}

export interface ToolCall extends Session {
  /** For every request of this call. */
  calls: CallOptions;
  untrusted: Marks['untrusted'];
}

/** Those who call tools do not wait for long; a start that is sent again is the same start. */
const PATIENCE = { timeoutMs: 20_000, maxRetryMs: 20_000 };

/** All four, always: what is left out counts as the worst. */
interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: `sortie_${string}`;
  title: string;
  description: string;
  annotations: Annotations;
  /** Begins the sentence that says what did not work. */
  doing: string;
  input: Input;
  output: Output;
  run(input: z.infer<Input>, call: ToolCall): Promise<z.input<Output>>;
}

export interface Tool {
  register(server: McpServer, session: Session): void;
}

export const reading = (openWorldHint: boolean): Annotations => ({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint,
});

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, description, annotations, doing, run } = definition;
  const input: z.ZodObject = definition.input;
  const output: z.ZodObject = definition.output;

  async function answer(given: unknown, session: Session, signal: AbortSignal): Promise<CallToolResult> {
    const marks = createMarks(session.hide);
    try {
      // The SDK has read it by the schema of the input.
      const data = await run(given as z.infer<Input>, {
        ...session,
        calls: { ...PATIENCE, signal },
        untrusted: marks.untrusted,
      });
      // Only what the schema names: a newer service may answer with more, which nobody has marked.
      const sealed = marks.seal(output.parse(data)) as Record<string, unknown>;
      return { content: [{ type: 'text', text: JSON.stringify(sealed) }], structuredContent: sealed };
    } catch (error) {
      // Whoever called has taken it back, and reads no answer.
      if (signal.aborted) throw error;
      const text = explainToolFailure(error, doing, session.hide);
      return { content: [{ type: 'text', text: marks.plain(text) }], isError: true };
    }
  }
  return {
    register(server, session) {
      server.registerTool(
        name,
        { title, description, annotations, inputSchema: input, outputSchema: output },
        (given, { mcpReq }) => answer(given, session, mcpReq.signal),
      );
    },
  };
}
