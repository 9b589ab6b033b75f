import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { toErrorObject } from './answer-error.ts';
import { linger } from './linger.ts';
import { limitHeaders, untouchedWindow } from './rate-limits.ts';

/** What is wrong with a message that is not valid HTTP. */
export interface Malformed {
  message: string;
  field?: string;
}

/**
 * Answers are sent in the order of their requests, and only the last request can be incomplete: so these two tell all
 * about the ones before.
 */
interface Connection {
  last: ServerResponse;
  lastButOne: ServerResponse | undefined;
}

/**
 * Answers what cannot be parsed, on connections where there is no response object to answer with. Nothing that
 * follows on such a connection can be understood, so this answer is its last.
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

  /** The parser reports every further packet of a connection that it has given up. */
  const isAnswered = (socket: Duplex) => ended.has(socket);

  async function answer(socket: Duplex, malformed: Malformed): Promise<void> {
    ended.add(socket);
    // After CONNECT nobody else listens, and a caller who hangs up must not take the process along.
    socket.on('error', () => socket.destroy());
    const { last, lastButOne } = connections.get(socket) ?? {};
    const open = [lastButOne, last].filter((response) => response !== undefined).filter(isUnfinished);
    // The caller matches answers to requests by their order: the good requests before this one come first.
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
