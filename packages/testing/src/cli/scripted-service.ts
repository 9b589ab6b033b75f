import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Asked {
  method: string;
  /** Relative to the base URL of the script, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
  at: number;
}

export interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  /** No body is sent if it is omitted. */
  body?: unknown;
}

/** Returns the response to a request; `before` is the number of earlier requests with this method and path. */
export type Script = (asked: Asked, before: number) => Scripted;

export interface ScriptedService {
  /** Returns the base URL of a service that follows this script, and the requests it receives. */
  play(script: Script): { baseUrl: string; asked: Asked[] };
  close(): Promise<void>;
}

/** Starts a fake service, for responses that the real one gives only in case of failures. */
export async function startScriptedService(): Promise<ScriptedService> {
  const stories = new Map<string, { script: Script; asked: Asked[] }>();
  const server = createServer(async (request, response) => {
    const [, name = '', ...rest] = new URL(request.url ?? '', 'http://localhost').pathname.split('/');
    const story = stories.get(name);
    const sent = await text(request);
    const asked: Asked = {
      method: request.method ?? '',
      path: `/${rest.join('/')}`,
      query: new URL(request.url ?? '', 'http://localhost').searchParams,
      headers: request.headers,
      body: sent === '' ? undefined : JSON.parse(sent),
      at: performance.now(),
    };
    const before = story?.asked.filter(({ method, path }) => method === asked.method && path === asked.path).length;
    story?.asked.push(asked);
    const { status = 200, headers = {}, body } = story?.script(asked, before ?? 0) ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? '' : JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    play(script) {
      const asked: Asked[] = [];
      const name = String(stories.size);
      stories.set(name, { script, asked });
      return { baseUrl: `http://127.0.0.1:${port}/${name}`, asked };
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Scripted => ({
  status,
  headers,
  body: { code, message: `Refused with ${code}.`, statusCode: status },
});

export const RUN_ID = 'pen_scripted';

function scriptedPentest(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: RUN_ID,
    targetUrl: 'https://shop.example/',
    status: 'COMPLETED',
    depth: 'LEAD',
    apiKeyId: 'key_1',
    createdAt: '2026-11-01T10:00:00.000Z',
    startedAt: '2026-11-01T10:00:01.000Z',
    completedAt: '2026-11-01T10:20:00.000Z',
    reportReleased: true,
    credits: { state: 'CHARGED', reserved: 400, charged: 100, returned: 300 },
    ...changes,
  };
}

export function scriptedFinding(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'fnd_1',
    title: 'SQL injection',
    description: 'A parameter reaches the database.',
    severity: 'HIGH',
    confidence: 'CONFIRMED',
    affectedUrl: 'https://shop.example/search?q=1',
    remediation: 'Use parameters.',
    cvssScore: '8.6',
    cweId: 'CWE-89',
    method: 'GET',
    parameter: 'q',
    fingerprint: 'print_1',
    ...changes,
  };
}

/** Changed fields of the run, or another response. */
type Look = { status?: string; [field: string]: unknown } | { answer: Scripted };

interface RunStory {
  /** The response to each poll of the run; the last one repeats. */
  looks: readonly Look[];
  findings?: readonly Record<string, unknown>[];
  /** The response to each start, likewise. */
  starts?: readonly Scripted[];
  /** If omitted, the service has no summaries. */
  summary?: string;
  /** Check groups that could not run. */
  untested?: readonly { group: string; reason: string; cure: string }[];
  coverage?: Record<string, unknown>;
  fixed?: readonly Record<string, unknown>[];
  notTested?: readonly Record<string, unknown>[];
}

export const started = (status = 'QUEUED', headers: Record<string, string> = {}): Scripted => ({
  status: 201,
  headers,
  body: { id: RUN_ID, status },
});

const PAGE = 2;

/** Returns the script of one run. Findings come in pages of two. */
export function runStory({ looks, findings = [], starts = [started()], ...told }: RunStory): Script {
  const nth = <Item>(items: readonly Item[], at: number) => items[Math.min(at, items.length - 1)];
  return ({ method, path, query }, before) => {
    if (method === 'POST' && path === '/v1/pentests') return nth(starts, before) ?? {};
    if (path === `/v1/pentests/${RUN_ID}`) {
      const look = nth(looks, before) ?? {};
      return 'answer' in look ? (look.answer as Scripted) : { body: scriptedPentest(look) };
    }
    if (path === `/v1/pentests/${RUN_ID}/summary` && Object.values(told).some((each) => each !== undefined)) {
      const { summary = null, untested = [], coverage = null, fixed, notTested } = told;
      return { body: { id: RUN_ID, reportReleased: true, summary, untested, coverage, fixed, notTested } };
    }
    if (path !== `/v1/pentests/${RUN_ID}/findings`) return refusal(404, 'NOT_FOUND');
    const offset = Number(query.get('offset') ?? 0);
    const nextOffset = offset + PAGE < findings.length ? offset + PAGE : null;
    const page = findings.slice(offset, offset + PAGE);
    return { body: { id: RUN_ID, reportReleased: true, total: findings.length, nextOffset, findings: page } };
  };
}
