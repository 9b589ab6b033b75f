import { type Command, Option } from 'commander';
import { apiCommand, collect, withShell } from '../api/api-command.ts';
import type { ApiOptions, Shell } from '../api/command-context.ts';
import { exitCodeOf } from '../api/explain-failure.ts';
import { CommandEnd, usageError } from '../terminal/command-error.ts';

interface CallOptions extends ApiOptions {
  field?: string[];
  input?: string;
  idempotencyKey?: string;
  include?: boolean;
}

export const apiCallCommand = (): Command =>
  apiCommand('api', 'send an API request and print the raw response')
    .argument('<method>', 'GET or POST')
    .argument('<path>', 'path such as /v1/pentests')
    .option(
      '-f, --field <name=value>',
      'query parameter of a GET, or field of the JSON body of a POST (repeatable)',
      collect,
    )
    .addOption(new Option('--input <file>', 'file with the body of a POST, - for stdin').conflicts('field'))
    .option('--idempotency-key <key>', 'idempotency key of a start (default: a new one)')
    .option('-i, --include', 'also print status and headers')
    .action((method: string, path: string, options: CallOptions) =>
      withShell(options, 'The request could not be sent', (shell) => call(shell, method.toUpperCase(), path, options)),
    );

interface PrintedAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

async function call(shell: Shell, method: string, path: string, options: CallOptions): Promise<void> {
  if (method !== 'GET' && method !== 'POST') throw usageError('The method must be GET or POST');
  if (!path.startsWith('/')) throw usageError(`The path must begin with a slash, such as /v1/${path}`);
  const body = method === 'GET' ? undefined : await readBody(options);
  const idempotencyKey =
    body === undefined ? options.idempotencyKey : (options.idempotencyKey ?? (await newKey(shell)));
  const answer = await send(shell, method, path, { ...options, body, idempotencyKey });
  const answered = parse(answer.text);
  const head = [`HTTP ${answer.status}`, ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`)];
  const shownBody = answered === undefined ? answer.text : JSON.stringify(answered, null, 2);
  const { status, headers } = answer;
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  const document = { schema: 'sortie.api/1', status, headers, ...key, body: answered ?? answer.text };
  shell.print(document, () => (options.include ? `${head.join('\n')}\n\n` : '') + (shownBody && `${shownBody}\n`));
  const code = (answered as { code?: string } | undefined)?.code;
  if (status >= 400) throw new CommandEnd(exitCodeOf(toFailure(status, code)));
}

const toFailure = (statusCode: number, code: string | undefined) =>
  Object.assign(new Error(), {
    name: 'ApiError' as const,
    statusCode,
    hasErrorObject: code !== undefined,
    ...(code === undefined ? {} : { code }),
  });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Prints the key before the request is sent, so that the start can be retried with it after any failure. */
async function newKey({ settings, say }: Shell): Promise<string> {
  const { requireKey } = await import('../api/command-context.ts');
  requireKey(settings);
  const key = (await import('node:crypto')).randomUUID();
  say(`Idempotency-Key: ${key}`);
  return key;
}

interface Sending {
  field?: string[];
  body: string | undefined;
  idempotencyKey: string | undefined;
}

async function send({ settings }: Shell, method: string, path: string, sending: Sending): Promise<PrintedAnswer> {
  const { requireKey } = await import('../api/command-context.ts');
  const { field = [], body, idempotencyKey } = sending;
  const url = new URL(settings.baseUrl.value + path);
  if (method === 'GET') for (const [name, value] of field.map(readField)) url.searchParams.append(name, value);
  const headers = {
    authorization: `Bearer ${requireKey(settings)}`,
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  try {
    const answer = await fetch(url, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  } catch (cause) {
    const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    const why = inner instanceof Error ? inner.message : String(inner);
    const message = `${url.origin} could not be reached: ${why}`;
    throw Object.assign(new Error(message), { name: 'TransportError', idempotencyKey });
  }
}

function readField(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError('--field must be name=value');
  return [text.slice(0, at), text.slice(at + 1)];
}

async function readBody({ field = [], input }: CallOptions): Promise<string | undefined> {
  if (input !== undefined) return (await import('../settings/read-yaml.ts')).readText(input);
  return field.length === 0 ? undefined : JSON.stringify(Object.fromEntries(field.map(readField)));
}
