import type { SendFailure } from './exchange.ts';

/** No connection, or none that may be used; carries what the exchange says about it. */
export class ConnectFailure extends Error {
  readonly failure: SendFailure;
  constructor(code: SendFailure['code'], message: string) {
    super(message);
    this.name = 'ConnectFailure';
    this.failure = { code, message };
  }
}

export const GONE: SendFailure = { code: 'UNREACHABLE', message: 'The connection was closed before an answer came.' };
export const TOO_LATE: SendFailure = { code: 'TIMEOUT', message: 'No answer came in time.' };
export const NO_HTTP: SendFailure = { code: 'PROTOCOL', message: 'The answer is not HTTP.' };
export const LONG_HEADERS: SendFailure = { code: 'TOO_LARGE', message: 'The headers of the answer are too large.' };

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Refused by the library before anything went out. */
const NOT_SENDABLE = /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)$/;

/** What an error of a connection means that was there. */
export function failureOf(error: unknown, hasAnswered: boolean): SendFailure {
  if (error instanceof ConnectFailure) return error.failure;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (NOT_SENDABLE.test(code)) {
    return { code: 'PROTOCOL', message: `The request cannot be sent as it is written: ${message}.` };
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return LONG_HEADERS;
  const isBroken = /^(?:ECONN|EPIPE|ETIMEDOUT|ENET|EHOST|UND_ERR_SOCKET|UND_ERR_DESTROYED|UND_ERR_CLOSED)/.test(code);
  if (isBroken && !hasAnswered && !/^bad /.test(message)) return GONE;
  return NO_HTTP;
}
