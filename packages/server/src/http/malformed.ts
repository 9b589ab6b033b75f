import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from '../config/config.ts';
import { AppError } from '../errors/app-error.ts';
import { toErrorObject } from './answer-error.ts';
import { linger } from './linger.ts';
import { limitHeaders, untouchedWindow } from './rate-limits.ts';

/** Why a message is not valid HTTP. */
export interface Malformed {
  message: string;
  field?: string;
}

/**
 * Responses are sent in request order, and only the last request can be incomplete, so these two determine the state of
 * all earlier ones.
 */
interface Connection {
  last: ServerResponse;
  lastButOne: ServerResponse | undefined;
}

/**
 * Responds to messages that cannot be parsed, on connections without a response object. Nothing after such a message
 * can be interpreted, so this response is the connection's last one.
 */
export function createMalformedAnswer(config: Pick<Config, 'rateLimits'>) {
  const connections = new WeakMap<Duplex, Connection>();
  const ended = new WeakSet<Duplex>();

  function watch({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(socket);
    if (!connection) {
      connections.set(socket, { last: response, lastButOne: undefined });
      return;
    }
    connection.lastButOne = connection.last;
    connection.last = response;
  }

  /** The parser reports every further packet of a connection after its first failure. */
  const isAnswered = (socket: Duplex) => ended.has(socket);

  async function answer(socket: Duplex, malformed: Malformed): Promise<void> {
    ended.add(socket);
    // After CONNECT the socket has no other error listener, and a disconnecting client must not crash the process.
    socket.on('error', () => socket.destroy());
    const { last, lastButOne } = connections.get(socket) ?? {};
    const open = [lastButOne, last].filter((response) => response !== undefined).filter(isUnfinished);
    // Clients match responses to requests by order, so the valid requests before this one are completed first.
    await Promise.all(open.filter(({ req }) => req.complete).map(hasClosed));
    const isHalfAnswered = open.some(({ headersSent, writableFinished }) => headersSent && !writableFinished);
    if (!socket.writable || isHalfAnswered) socket.destroy();
    else linger(socket, rawAnswer(config, malformed));
  }

  return { watch, isAnswered, answer };
}

const isUnfinished = ({ writableFinished }: ServerResponse) => !writableFinished;

function hasClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', resolve));
}

function rawAnswer(config: Pick<Config, 'rateLimits'>, malformed: Malformed): string {
  const { body, headers } = malformedAnswer(config, malformed);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Returns the Error object for a request that Node.js could not parse, with the headers that every response has. */
export function malformedAnswer(config: Pick<Config, 'rateLimits'>, malformed: Malformed) {
  const body = JSON.stringify(toErrorObject(new AppError('VALIDATION_ERROR', malformed)));
  const headers = {
    ...limitHeaders(untouchedWindow(config.rateLimits, 'read')),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { body, headers };
}
