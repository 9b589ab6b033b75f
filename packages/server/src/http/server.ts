import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import type { Config } from '../config/config.ts';
import { readTls } from '../ops/tls.ts';
import type { Edge } from './edge.ts';
import { createMalformedAnswer, type Malformed, malformedAnswer } from './malformed.ts';
import { IDEMPOTENCY_KEY_RULE } from './validate.ts';

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

interface Guards {
  edge: Edge;
  /** Called for every malformed message, since the handler never sees it. */
  onMalformed(): void;
}

/** Disconnects a client that neither sends nor reads for this long. Between requests, `keepAliveTimeout` applies. */
const SILENCE_MS = 60_000;

/** Far more than one node can serve, but few enough that idle connections cannot exhaust its memory. */
const MAX_CONNECTIONS = 10_000;

const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the 60 seconds after which common load balancers close an idle connection, so that they close it first.
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2_000,
};

function createListener(config: Config, handler: Handler): http.Server {
  // Our handler rejects a missing Host header with an Error object; Node would send an empty response.
  const options = { ...timeouts, maxHeaderSize: 16 * 1024, requireHostHeader: false };
  if (!config.tls) return http.createServer(options, handler);
  return https.createServer({ ...options, ...readTls(config.tls), minVersion: 'TLSv1.2' }, handler);
}

/** Creates an HTTP server that responds with the contract's Error object even to messages it cannot parse. */
export function createHttpServer(config: Config, handler: Handler, { edge, onMalformed }: Guards): http.Server {
  const malformed = createMalformedAnswer(config);
  const listener: Handler = (request, response) => {
    // The connection is announced as closing, so further requests on it are ignored.
    if (!request.socket.writable) return;
    malformed.watch(request, response);
    if (edge.refuses(request, response)) return;
    if (request.headers.host === undefined && request.httpVersion !== '1.0') {
      onMalformed();
      const { body, headers } = malformedAnswer(config, { message: 'The request has no Host header.' });
      response.writeHead(400, headers).end(body);
    } else {
      handler(request, response);
    }
  };
  const refuse = (socket: Duplex, message: Malformed) => {
    if (malformed.isAnswered(socket)) return;
    if (!edge.admitsUnparsed(socket)) {
      socket.destroy();
      return;
    }
    onMalformed();
    malformed.answer(socket, message);
  };
  const server = createListener(config, listener);
  server.timeout = SILENCE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  // Expectations other than 100-continue may be ignored; Node would reject them with a status outside the contract.
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => refuse(socket, { message: 'This service is not a proxy.' }));
  server.on('clientError', (error: ParseError, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, describeMalformed(error));
  });
  return server;
}

/** Node's parser adds the packet, and the offset at which it failed. */
interface ParseError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
  bytesParsed?: number;
}

function describeMalformed(error: ParseError): Malformed {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return { message: 'The request headers are larger than 16 KiB. Send shorter ones.' };
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return { message: 'The request was not complete in time.' };
  if (isInIdempotencyKey(error)) return { field: 'Idempotency-Key', message: IDEMPOTENCY_KEY_RULE };
  return { message: 'The request is not valid HTTP.' };
}

/** The parser rejects DEL and other control characters before any validation of the header. */
function isInIdempotencyKey({ code, rawPacket, bytesParsed }: ParseError): boolean {
  if (code !== 'HPE_INVALID_HEADER_TOKEN' || !rawPacket) return false;
  const line = rawPacket.toString('latin1', 0, bytesParsed).split('\n').at(-1) ?? '';
  return /^idempotency-key:/i.test(line);
}
