import type { IncomingHttpHeaders } from 'node:http';
import type { SignedIn } from './sessions.ts';

/** A parsed request. */
export interface Visit {
  method: string;
  /** The raw request target, with its query. */
  url: string;
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  body: Buffer;
  form: URLSearchParams;
  /** The raw value of `{id}` or `*` in the path. */
  id: string;
  sessionId: string;
  customer: SignedIn | undefined;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Buffer;
  /** Sent unmodified where Node would reject it: emulates servers in other languages. */
  raw?: string;
  /** Sends a few bytes each second and never ends. */
  isDripping?: boolean;
}

/** Returns undefined to leave the request without a response. */
export type Handler = (visit: Visit) => Answer | undefined | Promise<Answer | undefined>;

/** By method and path; `{id}` matches the last segment, `*` the rest of the path, and the method `*` any method. */
export type Routes = Record<string, Handler>;

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

export const withHeaders = (answer: Answer, headers: Answer['headers']): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

/**
 * Returns whether the content type is one that a cross-site form can send, so that such bodies are not read as JSON.
 */
export const isFormLike = ({ headers }: Pick<Visit, 'headers'>) =>
  /^\s*(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)/i.test(headers['content-type'] ?? '');

/** Returns undefined if the body is not a JSON object. */
export function readJson({ body, headers }: Pick<Visit, 'body' | 'headers'>): Record<string, unknown> | undefined {
  if (isFormLike({ headers })) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

export function cookieOf({ headers }: Pick<Visit, 'headers'>, name: string): string {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = pair.trim().split('=');
    if (key === name) return decode(value.join('='));
  }
  return '';
}

/** Returns the value unchanged if it is not valid percent-encoding. */
export function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
