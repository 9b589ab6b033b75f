import { exitCodes, explain, usualHint } from './explain-failure.ts';

interface ServiceResponse {
  status: number;
  body: Record<string, unknown>;
  /** From the Retry-After header. */
  retryAfterSeconds: number | undefined;
}

const ANSWER_WITHIN_MS = 30_000;

/** Calls an endpoint outside the public API, without a key. Throws if no Sortie service responds. */
export async function callService(
  baseUrl: string,
  path: string,
  body: object,
  doing: string,
): Promise<ServiceResponse> {
  const unavailable = (why: string) =>
    explain({ doing, why, hint: usualHint('UNREACHABLE'), code: 'UNREACHABLE', exitCode: exitCodes.unavailable });
  const request = fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    // A redirect would forward the body to another host.
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const response = await request.catch(() => {
    throw unavailable(`${baseUrl} did not respond`);
  });
  const parsed: unknown = await response.json().catch(() => {
    throw unavailable(`the response of ${baseUrl} is not that of a Sortie service`);
  });
  const wait = Number(response.headers.get('retry-after'));
  return {
    status: response.status,
    body: typeof parsed === 'object' && parsed !== null ? { ...parsed } : {},
    retryAfterSeconds: wait > 0 ? wait : undefined,
  };
}

/** Returns the body of a successful response. Throws the service's refusal otherwise. */
export function requireSuccess({ status, body }: ServiceResponse, doing: string): Record<string, unknown> {
  if (status < 300) return body;
  const code = typeof body.code === 'string' ? body.code : `HTTP_${status}`;
  const why = typeof body.message === 'string' ? body.message : `the service responded with status ${status}`;
  const exitCode = status >= 500 || status === 429 ? exitCodes.unavailable : exitCodes.refused;
  throw explain({ doing, why, hint: hintOf(code), code, exitCode });
}

const hintOf = (code: string) =>
  code === 'NOT_FOUND'
    ? 'Check --base-url. A service without a dashboard has no sign-in: use "npx sortie login --paste".'
    : usualHint(code);
