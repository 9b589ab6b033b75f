import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';
import { singleHeader } from '../http/single-header.ts';

/**
 * Throws unless a request that changes something comes from a page of this service. Browsers send a session's cookie
 * with requests of other sites too, but never a false `Origin`.
 */
export function requireSameOrigin(request: IncomingMessage): void {
  if (request.method === 'GET') return;
  const origin = URL.parse(singleHeader(request, 'origin') ?? '');
  if (origin && origin.host === singleHeader(request, 'host')?.toLowerCase()) return;
  throw new AppError('FORBIDDEN', { message: 'The request does not come from a page of this service.' });
}

/** Throws if a page of another site makes a request that changes something. Programs other than browsers may make it. */
export function refuseForeignOrigin(request: IncomingMessage): void {
  if (request.headers.origin !== undefined) requireSameOrigin(request);
}
