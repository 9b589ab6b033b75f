import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import { readTls } from '../ops/tls.ts';
import type { Edge } from './edge.ts';
import { createMalformedAnswer, type Malformed, malformedAnswer } from './malformed.ts';
import { IDEMPOTENCY_KEY_RULE } from './validate.ts';

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

interface Guards {
  edge: Edge;
  /** Told of everything that is answered as malformed, which the handler never sees. */
  onMalformed(): void;
}

/** A caller who neither sends nor reads for so long is gone. Between requests `keepAliveTimeout` counts instead. */
const SILENCE_MS = 60_000;

/** Far above what one node can serve, and low enough that idle connections cannot use up its memory. */
const MAX_CONNECTIONS = 10_000;

const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the 60 seconds after which common load balancers drop an idle connection, so that they do it first.
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2_000,
};

function createListener(config: Config, handler: Handler): http.Server {
  // A missing Host header is refused by us, in the contract's words, and not by Node with an empty answer.
  const options = { ...timeouts, maxHeaderSize: 16 * 1024, requireHostHeader: false };
  if (!config.tls) return http.createServer(options, handler);
  return https.createServer({ ...options, ...readTls(config.tls), minVersion: 'TLSv1.2' }, handler);
}

/** An HTTP server that answers even what it could not parse with the contract's Error object. */
export function createHttpServer(config: Config, handler: Handler, { edge, onMalformed }: Guards): http.Server {
  const malformed = createMalformedAnswer(config);
  const listener: Handler = (request, response) => {
    // We have said that the connection ends, so the caller expects nothing more to be done on it.
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
  // Expectations other than 100-continue may be ignored; Node would refuse them with a status outside our table.
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => refuse(socket, { message: 'This service is not a proxy.' }));
  server.on('clientError', (error: ParseError, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, describeMalformed(error));
  });
  return server;
}

/** Node's parser adds the packet, and how far it got in it. */
interface ParseError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
  bytesParsed?: number;
}

function describeMalformed(error: ParseError): Malformed {
  if (error.code === 'HPE_HEADER_OVERFLOW') return { message: 'The request headers are larger than 16 KiB.' };
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return { message: 'The request did not arrive in time.' };
  if (isInIdempotencyKey(error)) return { field: 'Idempotency-Key', message: IDEMPOTENCY_KEY_RULE };
  return { message: 'The request is not valid HTTP.' };
}

/** The parser refuses DEL and other control characters before anything else looks at the header. */
function isInIdempotencyKey({ code, rawPacket, bytesParsed }: ParseError): boolean {
  if (code !== 'HPE_INVALID_HEADER_TOKEN' || !rawPacket) return false;
  const line = rawPacket.toString('latin1', 0, bytesParsed).split('\n').at(-1) ?? '';
  return /^idempotency-key:/i.test(line);
}
