import { isUtf8 } from 'node:buffer';
import type { Exchange, Headers, SendFailure } from '../exchange/exchange.ts';
import { maskForeign } from './mask-foreign.ts';
import { maskUrl } from './mask-url.ts';
import { MASK, type Redactor } from './redactor.ts';

/** An exchange as evidence: plain JSON without secrets. */
export interface RecordedExchange {
  method: string;
  url: string;
  requestHeaders: [name: string, value: string][];
  requestBody: string | null;
  /** Null if there was no response; `failure` says why. */
  status: number | null;
  responseHeaders: [name: string, value: string][];
  responseBody: string | null;
  failure: SendFailure | null;
  remote: Exchange['remote'];
  firstByteMs: number | null;
  durationMs: number;
  /** Whether the bodies are complete: neither truncated, by us or by the sender, nor left out because they are binary. */
  isWhole: { request: boolean; response: boolean };
}

const MOST_CHARACTERS = 4_096;
const ALWAYS_MASKED = /^(?:authorization|proxy-authorization|cookie2?|set-cookie2?|[\w-]*[cx]srf(?:[_-]?token)?)$/i;

/** Returns the text around the first marker found, or its beginning. */
function cut(text: string, markers: readonly string[]): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const found = markers.map((marker) => text.indexOf(marker)).filter((index) => index >= 0);
  const middle = found.length > 0 ? Math.min(...found) : 0;
  const start = Math.max(0, Math.min(middle - MOST_CHARACTERS / 2, text.length - MOST_CHARACTERS));
  const end = start + MOST_CHARACTERS;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

/** Redacts before truncating, because a truncated secret would not be recognized. */
function readBody(
  body: string | Uint8Array,
  redactor: Pick<Redactor, 'redact'>,
  markers: readonly string[],
): { text: string; isWhole: boolean } {
  const bytes = Buffer.from(body);
  if (!isUtf8(bytes) || bytes.includes(0)) return { text: `‹${bytes.length} bytes›`, isWhole: false };
  const whole = redactor.redact(bytes.toString());
  const text = cut(whole, markers);
  return { text, isWhole: text === whole };
}

/** Keeps cookie names and the authorization scheme, which are useful evidence, and masks the values. */
function maskValue(name: string, value: string): string {
  if (/cookie/i.test(name)) return value.replace(/=[^;]*/, `=${MASK}`).replace(/(;\s*[^=;]+=)[^;]*/g, maskPart(name));
  return value.replace(/^(\s*[A-Za-z]+ )?.*$/s, `$1${MASK}`);
}

/** After the first value, a Cookie header continues with more cookies, a Set-Cookie header with attributes. */
const maskPart = (name: string) => (/^set-/i.test(name) ? '$&' : `$1${MASK}`);

function readHeaders(headers: Headers, redactor: Pick<Redactor, 'redact'>): [string, string][] {
  return headers.map(([name, value]) => [
    redactor.redact(name),
    redactor.redact(ALWAYS_MASKED.test(name) ? maskValue(name, value) : value),
  ]);
}

/** A target could hide its origin by setting it as a cookie, so only the secrets of accounts are masked in it. */
function readUrl(url: string, redactor: Redactor): string {
  const isInOrigin = URL.parse(redactor.redactSecrets(url))?.origin !== URL.parse(url)?.origin;
  return isInOrigin ? redactor.redact(url) : maskUrl(url, redactor.redact);
}

export function recordExchange(
  { request, response, failure, remote, firstByteMs, durationMs }: Exchange,
  redactor: Redactor,
  markers: readonly string[] = [],
): RecordedExchange {
  // Responses can also disclose secrets of other people, which the run has never learned.
  const foreign = { redact: (text: string) => maskForeign(redactor.redact(text)) };
  const sent = request.body === undefined ? undefined : readBody(request.body, redactor, markers);
  const received = response && readBody(response.body, foreign, markers);
  return {
    method: request.method,
    url: readUrl(request.url, redactor),
    requestHeaders: readHeaders(request.headers ?? [], redactor),
    requestBody: sent?.text ?? null,
    status: response?.status ?? null,
    responseHeaders: readHeaders(response?.headers ?? [], foreign),
    responseBody: received?.text ?? null,
    failure: failure && { ...failure, message: redactor.redact(failure.message) },
    remote,
    firstByteMs,
    durationMs,
    isWhole: { request: sent?.isWhole ?? true, response: received?.isWhole !== false && response?.isCut !== true },
  };
}
