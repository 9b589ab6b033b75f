import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openai } from './openai.ts';
import { openaiCompatible } from './openai-compatible.ts';
import type { ModelProtocol, Protocol, Reply, SeenCall } from './protocol.ts';

const protocols: Record<ModelProtocol, Protocol> = { anthropic, openai, google, 'openai-compatible': openaiCompatible };

const paths: readonly (readonly [RegExp, ModelProtocol])[] = [
  [/\/messages$/, 'anthropic'],
  [/\/responses$/, 'openai'],
  [/:streamGenerateContent\?alt=sse$/, 'google'],
  [/\/chat\/completions$/, 'openai-compatible'],
];

export interface ModelServer {
  /** Base URL for a provider's client. */
  url: string;
  calls: SeenCall[];
  close(): Promise<void>;
}

/** Starts a server on loopback that speaks the protocols of four providers, and answers as the script says. */
export async function startModelServer(
  script: (call: SeenCall, index: number) => Reply | Promise<Reply>,
): Promise<ModelServer> {
  const calls: SeenCall[] = [];
  const server = createServer(async (request, response) => {
    const protocol = paths.find(([path]) => path.test(request.url ?? ''))?.[1];
    if (!protocol) return void response.writeHead(404).end();
    const body = JSON.parse(await readBody(request)) as Record<string, unknown>;
    const call = { protocol, body, ...protocols[protocol].read(body, request) };
    calls.push(call);
    await answer(response, protocols[protocol], await script(call, calls.length - 1));
  });
  // A client that reuses a connection after a pause must not meet its end.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(response: ServerResponse, protocol: Protocol, reply: Reply): Promise<void> {
  if (reply.delayMs !== undefined) await sleep(reply.delayMs);
  if (reply.breaks === 'at once') return void response.destroy();
  if (reply.status !== undefined) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    return void response.end(JSON.stringify(protocol.error(reply.message ?? 'as the script says')));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  const events = protocol.write(reply);
  const sent = reply.breaks === 'in the middle' ? events.slice(0, Math.ceil(events.length / 2)) : events;
  for (const event of sent) await new Promise((resolve) => response.write(event, resolve));
  if (reply.breaks) response.destroy();
  else response.end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
