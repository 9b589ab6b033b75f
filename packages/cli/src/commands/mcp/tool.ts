import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { CallOptions, Client } from '@sortie/sdk';
import type { z } from 'zod';
import type { Shell } from '../../api/command-context.ts';
import type { CreditLimit } from './credit-limit.ts';
import { explainToolFailure } from './explain-tool-failure.ts';
import { createMarks, type Marks } from './marks.ts';

/** State of the process: one API client and the credits it has spent. */
export interface Session {
  shell: Shell;
  client: Client;
  /** Removes the API key from a text. */
  hide(text: string): string;
  /** Undefined if starts are not allowed. */
  creditLimit: CreditLimit | undefined;
}

export interface ToolCall extends Session {
  /** Options of every request of this call. */
  calls: CallOptions;
  untrusted: Marks['untrusted'];
}

/** MCP clients have short timeouts. A retried start is safe, because it has the same idempotency key. */
const PATIENCE = { timeoutMs: 20_000, maxRetryMs: 20_000 };

/** All four are required, because the protocol assumes the worst for missing ones. */
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
  /** The first part of the error message, which says what failed. */
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
      // The MCP SDK has validated it with the input schema.
      const data = await run(given as z.infer<Input>, {
        ...session,
        calls: { ...PATIENCE, signal },
        untrusted: marks.untrusted,
      });
      // Keeps only fields of the schema: a newer service may add text that is not marked as untrusted.
      const sealed = marks.seal(output.parse(data)) as Record<string, unknown>;
      return { content: [{ type: 'text', text: JSON.stringify(sealed) }], structuredContent: sealed };
    } catch (error) {
      // The client cancelled the call and ignores the result.
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
