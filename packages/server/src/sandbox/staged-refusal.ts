import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import type { Refusal } from './story.ts';

/** A refusal that a story requires. To the client it looks like a real one. */
export class StagedRefusal extends AppError {
  readonly isByEdge: boolean;

  constructor({ code, isByEdge = false }: Refusal, options: ConstructorParameters<typeof AppError>[1]) {
    super(code, options);
    this.name = 'StagedRefusal';
    this.isByEdge = isByEdge;
  }
}

type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown;

const apiHeaders = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-id'];

/**
 * Returns an error handler that gives staged refusals their scripted response, whose headers and limits differ from the
 * real ones of the request.
 */
export function answerStaged(answer: ErrorHandler): ErrorHandler {
  return (error, request, reply) => {
    if (!(error instanceof StagedRefusal)) return answer(error, request, reply);
    const wait = String(error.retryAfterSeconds ?? 1);
    if (error.isByEdge) {
      for (const name of apiHeaders) reply.removeHeader(name);
      return reply.code(error.statusCode).headers({ 'retry-after': wait, connection: 'close' }).send();
    }
    if (error.code === 'RATE_LIMITED') reply.headers({ 'ratelimit-remaining': '0', 'ratelimit-reset': wait });
    return answer(error, request, reply);
  };
}
