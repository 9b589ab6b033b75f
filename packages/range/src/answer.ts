import type { IncomingHttpHeaders } from 'node:http';
import type { SignedIn } from './sessions.ts';

/** One request, read. */
export interface Visit {
  method: string;
  /** As it came, with its query. */
  url: string;
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  body: Buffer;
  form: URLSearchParams;
  /** What stood for `{id}` or `*` in the path, as it came. */
  id: string;
  sessionId: string;
  customer: SignedIn | undefined;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Buffer;
  /** Written as it is, where Node would refuse to: what a server in another language sends. */
  raw?: string;
  /** Goes on, a little each second, and does not come to an end. */
  isDripping?: boolean;
}

/** Undefined where the visitor gets no answer at all. */
export type Handler = (visit: Visit) => Answer | undefined | Promise<Answer | undefined>;

/** By method and path; `{id}` stands for the last segment, `*` for the rest of the path, and the method `*` for any. */
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

/** What a form of another site can send as well: it is not taken for JSON. */
export const isFormLike = ({ headers }: Pick<Visit, 'headers'>) =>
  /^\s*(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)/i.test(headers['content-type'] ?? '');

/** Undefined when the body is no JSON object. */
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

/** As it is when it is not encoded as it should be. */
export function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
