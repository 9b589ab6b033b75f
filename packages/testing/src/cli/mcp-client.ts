import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { quickImports } from '../loading/bundles.ts';
import { cliEnvironment } from './cli.ts';

const launcher = path.resolve(import.meta.dirname, '../../../cli/bin/sortie.js');

interface Message {
  id?: number;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

interface ToolAnswer {
  isError: boolean;
  /** Everything that a model can read in the result. */
  text: string;
  data: Record<string, unknown>;
}

/** An MCP client that talks to `sortie mcp` over stdio. */
export interface McpClient {
  /** The server's response to `initialize`. */
  opened: Record<string, unknown>;
  request(method: string, params?: Record<string, unknown>): Promise<Message>;
  call(tool: string, input?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Returns everything the process has written to stdout and stderr. */
  written(): string;
  /** Closes stdin and resolves to the exit code. */
  end(): Promise<number | null>;
}

interface McpOptions {
  args?: readonly string[];
  env: Record<string, string>;
  cwd: string;
}

const client = { name: 'test', version: '1' };

const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };

/** Metadata of every request in the newer protocol, which has no `initialize`. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': client,
  'io.modelcontextprotocol/clientCapabilities': {},
};

function startServer({ args = [], env, cwd }: McpOptions) {
  const child = spawn(process.execPath, [quickImports, launcher, 'mcp', ...args], {
    env: cliEnvironment(env),
    cwd,
    timeout: 120_000,
  });
  const waiting = new Map<number, (message: Message) => void>();
  const lines: string[] = [];
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const message = JSON.parse(line) as Message & { jsonrpc: string };
    assert.equal(message.jsonrpc, '2.0');
    waiting.get(message.id ?? -1)?.(message);
  });
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request: McpClient['request'] = (method, params = {}) => {
    const id = waiting.size + 1;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const gone = closed.then((code) => assert.fail(`the server ended with ${code}: ${lines.join('\n')}`));
    return Promise.race([answered, gone]);
  };
  const end = () => {
    child.stdin.end();
    return closed;
  };
  return { send, request, end, written: () => lines.join('\n') };
}

/** Starts a server without `initialize`, as in the newer protocol. */
export const startMcpServer = (options: McpOptions) => startServer(options);

export async function openMcp(options: McpOptions): Promise<McpClient> {
  const { send, request, end, written } = startServer(options);
  const { result = {} } = await request('initialize', opening);
  send({ method: 'notifications/initialized' });
  return {
    opened: result,
    request,
    written,
    end,
    async call(name, input = {}) {
      const { result: answer, error } = await request('tools/call', { name, arguments: input });
      assert.ok(answer, JSON.stringify(error));
      const [{ text }, ...more] = answer.content as [{ text: string }];
      assert.deepEqual(more, []);
      const data = (answer.structuredContent ?? {}) as Record<string, unknown>;
      if (!answer.isError) assert.deepEqual(JSON.parse(text), data);
      return { isError: answer.isError === true, text, data };
    },
  };
}
