import type { SendFailure } from './exchange.ts';

/** Thrown if there is no connection, or none that may be used; carries the failure that the exchange reports. */
export class ConnectFailure extends Error {
  readonly failure: SendFailure;
  constructor(code: SendFailure['code'], message: string) {
    super(message);
    this.name = 'ConnectFailure';
    this.failure = { code, message };
  }
}

export const GONE: SendFailure = {
  code: 'UNREACHABLE',
  message: 'The connection was closed before a response arrived.',
};
export const TOO_LATE: SendFailure = { code: 'TIMEOUT', message: 'No response arrived in time.' };
export const NO_HTTP: SendFailure = { code: 'PROTOCOL', message: 'The response is not valid HTTP.' };
export const LONG_HEADERS: SendFailure = { code: 'TOO_LARGE', message: 'The response headers are too large.' };

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** The HTTP library rejects the request before it sends anything. */
const NOT_SENDABLE = /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)$/;

/** Whether this machine is out of file descriptors, ports or memory, which says nothing about the server. */
const isOutOfMeans = (error: unknown) => /^(?:EMFILE|ENFILE|ENOMEM|ENOBUFS)$/.test(codeOf(error));

/** Whether the operating system could not connect to the server; false if this machine is out of resources. */
export const isNoConnection = (error: unknown) =>
  error instanceof Error && 'syscall' in error && error.syscall === 'connect' && !isOutOfMeans(error);

/** The server or the network closed the connection. */
const BROKEN = /^(?:ECONN|EPIPE|ETIMEDOUT|ENET|EHOST|UND_ERR_SOCKET|UND_ERR_DESTROYED|UND_ERR_CLOSED)/;
/** The server sent data that cannot be parsed. */
const UNREADABLE = /^(?:HPE_|UND_ERR|ERR_SSL_|ERR_TLS_|ERR_STREAM_|EPROTO$)/;

/**
 * Returns what a connection error says about the server. Rethrows any other error: it is an internal one, such as a
 * file that cannot be read.
 */
export function failureOf(error: unknown, hasAnswered: boolean): SendFailure {
  if (error instanceof ConnectFailure) return error.failure;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (NOT_SENDABLE.test(code)) {
    return { code: 'PROTOCOL', message: `The request cannot be sent as it is written: ${message}.` };
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return LONG_HEADERS;
  // An alert after the handshake: TLS 1.3 reports a missing client certificate this way.
  if (code.startsWith('ERR_SSL_') && !hasAnswered) {
    const { reason = message } = error as Error & { reason?: string };
    return { code: 'TLS', message: `The server ended the TLS connection: ${reason}.` };
  }
  const isBroken = BROKEN.test(code);
  if (isBroken && !hasAnswered && !/^bad /.test(message)) return GONE;
  if (isBroken || UNREADABLE.test(code) || (error instanceof Error && error.name === 'HTTPParserError')) return NO_HTTP;
  throw error;
}
