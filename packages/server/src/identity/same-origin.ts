import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';
import { singleHeader } from '../http/single-header.ts';

/**
 * Throws unless a state-changing request comes from a page of this service (CSRF). Browsers send a session's cookie
 * with requests of other sites as well, but never a false `Origin`.
 */
export function requireSameOrigin(request: IncomingMessage): void {
  if (request.method === 'GET') return;
  const origin = URL.parse(singleHeader(request, 'origin') ?? '');
  if (origin && origin.host === singleHeader(request, 'host')?.toLowerCase()) return;
  throw new AppError('FORBIDDEN', {
    message:
      'The request does not come from a page of this service. Open the dashboard at its own address and try again.',
  });
}

/** Throws if a page of another site sends a state-changing request. Programs other than browsers may send it. */
export function refuseForeignOrigin(request: IncomingMessage): void {
  if (request.headers.origin !== undefined) requireSameOrigin(request);
}
