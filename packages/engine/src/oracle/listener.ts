/**
 * Receives out-of-band callbacks from targets. Anyone can send requests to it: it keeps nothing of their content except
 * a valid label and the short detail beside it, and echoes nothing but the DNS question.
 */
import type { KeyObject } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import type { OutsideCall } from '../protocol/callback.ts';
import { readQuestion, writeReply } from '../target/dns/reply.ts';
import { createGate } from './gate.ts';
import { PROGRAM } from './outside.ts';
import { answerOf, type Named, namesFor, programOf, readName, readPath } from './outside-names.ts';

export interface ListenerOptions {
  /** Authenticates the labels of all runs. */
  service: KeyObject;
  http: { host: string; port: number };
  /** Resolves all names of a zone to one address. */
  dns: { host: string; port: number; zone: string; address: string } | null;
  /**
   * HTTP callers get their response after this resolves, so that the callback is recorded before the target continues.
   */
  onCall(call: Omit<OutsideCall, 'at'>): Promise<void>;
  /** Called if a callback cannot be reported or a socket fails. */
  onFailure(error: unknown): void;
}

export interface Listener {
  httpPort: number;
  dnsPort: number | null;
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 200;
const MOST_HEADER_BYTES = 8_192;
const HEADERS_WITHIN_MS = 5_000;
const REQUEST_WITHIN_MS = 10_000;
const REPLIES_PER_SECOND = 200;

export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { service, onCall, onFailure } = options;
  const gate = createGate();

  /** Resolves to the run that a label belongs to; undefined if the label is not one of ours. */
  async function hear(named: Named | undefined, kind: OutsideCall['kind'], from: string) {
    const names = named && namesFor(service, named.label);
    if (!names) return undefined;
    if (gate.mayTell(named.label)) await onCall({ ...named, kind, from: plainAddress(from) }).catch(onFailure);
    return { ...names, ...named };
  }

  const server = createServer({ maxHeaderSize: MOST_HEADER_BYTES }, async (request, response) => {
    const { url = '', headers, socket } = request;
    const name = String(headers.host ?? '').replace(/:\d+$/, '');
    const heard = await hear(readPath(url) ?? readName(name), 'http', socket.remoteAddress ?? '');
    answer(request, response, heard && textFor(heard));
  });
  const httpPort = await listen(server, options.http);
  server.on('error', onFailure);
  const socket = await openNames(options.dns, hear, onFailure).catch((error: unknown) => {
    server.close();
    throw error;
  });
  return {
    httpPort,
    dnsPort: socket?.address().port ?? null,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await new Promise<void>((resolve) => (socket ? socket.close(() => resolve()) : resolve()));
      await closed;
    },
  };
}

function textFor({ label, detail, ...names }: Named & NonNullable<ReturnType<typeof namesFor>>): string {
  return detail === PROGRAM ? programOf(names, label).text : answerOf(names, label);
}

function answer(request: IncomingMessage, response: ServerResponse, text: string | undefined): void {
  // Discards the request body.
  request.resume();
  response.shouldKeepAlive = false;
  const body = `${text ?? 'Nothing is here.'}\n`;
  const headers = { 'content-type': 'text/plain', 'content-length': body.length, 'cache-control': 'no-store' };
  response.writeHead(text === undefined ? 404 : 200, headers).end(body);
}

async function listen(server: Server, { host, port }: ListenerOptions['http']): Promise<number> {
  server.maxConnections = MOST_CONNECTIONS;
  server.headersTimeout = HEADERS_WITHIN_MS;
  server.requestTimeout = REQUEST_WITHIN_MS;
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

async function openNames(
  dns: ListenerOptions['dns'],
  hear: (named: Named | undefined, kind: 'dns', from: string) => Promise<unknown>,
  onFailure: (error: unknown) => void,
): Promise<Socket | undefined> {
  if (!dns) return undefined;
  const { host, port, zone, address } = dns;
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const gate = createGate({ perSecond: REPLIES_PER_SECOND });
  socket.on('message', async (bytes, from) => {
    if (!gate.mayPass()) return;
    const asked = readQuestion(bytes);
    if (!asked) return;
    const name = asked.name.toLowerCase();
    const isOurs = name === zone || name.endsWith(`.${zone}`);
    if (isOurs) await hear(readName(name), 'dns', from.address);
    try {
      socket.send(writeReply(asked, isOurs ? address : null), from.port, from.address);
    } catch (error) {
      onFailure(error);
    }
  });
  socket.bind(port, host);
  await once(socket, 'listening');
  socket.on('error', onFailure);
  return socket;
}

/** Dual-stack sockets report IPv4 addresses as IPv4-mapped IPv6. */
const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, '');
