import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { McpServer } from '@modelcontextprotocol/server';
import { UNWANTED } from '@sortie/testing/reports/unwanted-words.ts';
import { z } from 'zod';
import { createCreditLimit } from './credit-limit.ts';
import { INSTRUCTIONS, toolsFor } from './serve.ts';
import type { Session } from './tool.ts';

interface Registered {
  title: string;
  description: string;
  inputSchema: z.ZodObject;
  outputSchema: z.ZodObject;
}

/** Returns the texts of all tools, with the descriptions of their fields. */
function textsOfTools(): Map<string, string> {
  const texts = new Map<string, string>();
  const server = {
    registerTool(name: string, { title, description, inputSchema, outputSchema }: Registered) {
      const fields = [z.toJSONSchema(inputSchema), z.toJSONSchema(outputSchema)];
      texts.set(name, `${title}. ${description} ${JSON.stringify(fields)}`);
    },
  };
  const folder = { read: () => [] };
  for (const tool of toolsFor(createCreditLimit(100), folder)) {
    tool.register(server as unknown as McpServer, {} as Session);
  }
  return texts;
}

it('texts of MCP tools contain no unwanted words', () => {
  const texts = textsOfTools();
  assert.ok(texts.has('sortie_pentest_start') && texts.has('sortie_pentest_gate_check'), [...texts.keys()].join());
  const wrong = [...texts, ['instructions', INSTRUCTIONS] as const].flatMap(([name, text]) =>
    UNWANTED.flatMap((word) => text.match(word)?.[0] ?? []).map((word) => `${name}: ${word}`),
  );
  assert.deepEqual(wrong, []);
});
