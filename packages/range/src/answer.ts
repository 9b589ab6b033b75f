import type { SignedIn } from './sessions.ts';

/** One request, read. */
export interface Visit {
  query: URLSearchParams;
  form: URLSearchParams;
  /** What stood for `{id}` in the path. */
  id: string;
  sessionId: string;
  customer: SignedIn | undefined;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type Handler = (visit: Visit) => Answer;

export const html = (body: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
});

export const text = (body: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});

export const json = (value: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

export const redirect = (location: string, status = 303): Answer => ({ status, headers: { location }, body: '' });
