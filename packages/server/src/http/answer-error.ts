import type { IncomingMessage } from 'node:http';
import type { ErrorObject } from '@sortie/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { describeError, type Log } from '../platform/log.ts';
import { lingerAfterAnswer } from './linger.ts';
import { MAX_BODY_BYTES } from './max-body-bytes.ts';
import { JsonRefusal } from './strict-json.ts';

/** Limits field names chosen by the client, which can be as long as the body. */
const MAX_FIELD_LENGTH = 200;

/** Returns the Error object of the API for an error. */
export function toErrorObject({ code, message, statusCode, field }: AppError): ErrorObject {
  const error = { code, message, statusCode };
  return field === undefined ? error : { ...error, field: field.slice(0, MAX_FIELD_LENGTH).toWellFormed() };
}

/** Maps any error that stopped a request to an error of the API contract. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof JsonRefusal) {
    return new AppError('VALIDATION_ERROR', { field: error.field, message: error.message });
  }
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new AppError('VALIDATION_ERROR', {
      field: 'body',
      message: 'The body is larger than 512 KiB. Send a smaller one.',
    });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new AppError('VALIDATION_ERROR', {
      field: 'Content-Type',
      message: 'The Content-Type is malformed. Send application/json.',
    });
  }
  // Only errors by which the framework rejects a malformed request have such a code and status.
  if (code?.startsWith('FST_ERR_') && statusCode !== undefined && statusCode < 500) {
    return new AppError('VALIDATION_ERROR', { field: 'body', message: 'The request is malformed.' });
  }
  return new AppError('INTERNAL_ERROR', { cause: error });
}

/** Returns whether the client disconnected while it sent the body, which is not an internal error. */
const hasHungUp = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete;

/** Returns whether the unread rest of the body is too large to skip, so that the connection has to be closed. */
function isEndless({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES;
}

/** Creates the handler that turns any error into a response, and logs those that are internal. */
export function createErrorHandler(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const answer = hasHungUp(request) ? new AppError('VALIDATION_ERROR', { field: 'body' }) : toAppError(error);
    if (answer.code === 'INTERNAL_ERROR') {
      log.error('request failed', { requestId: request.id, ...describeError(answer.cause ?? answer) });
    }
    if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', String(answer.retryAfterSeconds));
    if (answer.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
    if (isEndless(request.raw)) {
      reply.header('connection', 'close');
      lingerAfterAnswer(request.raw.socket);
    }
    return reply.code(answer.statusCode).send(toErrorObject(answer));
  };
}
