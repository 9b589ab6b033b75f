import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach } from 'node:test';
import { bundlePath } from '../../../../ci/github/build.ts';
import { isFull } from '../runner/test-size.ts';
import { runInHost } from './commands.ts';

export const KEY = 'srt_test_aaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbcccccc';
export const RUN = { id: 'pnt_1', status: 'QUEUED' };

interface Asked {
  method: string;
  path: string;
  key: string | undefined;
  body: string;
}

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

export const asked: Asked[] = [];
export const answers: Record<string, Answer | ((idempotencyKey: unknown) => Answer)> = {};

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Simulates the service and GitHub: responses by method and path. */
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '', 'http://localhost');
  const body = await read(request);
  const call = `${request.method} ${url.pathname}`;
  const key = request.headers['idempotency-key'];
  asked.push({
    method: request.method ?? '',
    path: url.pathname,
    key: typeof key === 'string' ? key : undefined,
    body,
  });
  const played = answers[call] ?? {
    status: 404,
    body: { code: 'NOT_FOUND', message: 'No such thing', statusCode: 404 },
  };
  const { status = 200, headers, body: answer } = typeof played === 'function' ? played(key) : played;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer));
});

let folder: string;
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

export const pentest = (changes: object = {}) => ({
  id: 'pnt_1',
  targetUrl: 'https://shop.example.com/',
  status: 'COMPLETED',
  depth: 'LEAD',
  apiKeyId: null,
  createdAt: '2026-11-15T10:00:00.000Z',
  startedAt: '2026-11-15T10:00:05.000Z',
  completedAt: '2026-11-15T12:30:00.000Z',
  reportReleased: true,
  credits: { state: 'CHARGED', reserved: 100, charged: 100, returned: 0 },
  ...changes,
});

export function playPentest(findings: object[], changes: object = {}): void {
  answers['POST /v1/pentests'] = { status: 201, body: RUN };
  answers['GET /v1/pentests/pnt_1'] = { body: pentest(changes) };
  const page = { id: 'pnt_1', reportReleased: true, total: findings.length, nextOffset: null, findings };
  answers['GET /v1/pentests/pnt_1/findings'] = { body: page };
}

export function playScan(findings: object[], total = findings.length): void {
  answers['POST /v1/scans'] = { status: 201, body: { id: 'scn_1', domain: 'example.com', status: 'STARTED' } };
  const times = { createdAt: '2026-11-15T10:00:00.000Z', completedAt: '2026-11-15T10:02:00.000Z' };
  const run = { id: 'scn_1', url: start.target, domain: 'example.com', status: 'COMPLETED', score: 75, grade: 'C' };
  const rest = { algorithmVersion: 1, findingCounts: null, checks: null, apiKeyId: null, failure: null };
  answers['GET /v1/scans/scn_1'] = { body: { ...run, ...rest, ...times } };
  const page = { id: 'scn_1', status: 'COMPLETED', total, nextOffset: null, findings };
  answers['GET /v1/scans/scn_1/findings'] = { body: page };
}

const spawnAction = (env: NodeJS.ProcessEnv) =>
  new Promise<{ exitCode: number; log: string }>((resolve) => {
    execFile(process.execPath, [bundlePath], { cwd: folder, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) : 0, log: stdout + stderr }),
    );
  });

async function hostAction(env: NodeJS.ProcessEnv) {
  const { exitCode, stdout, stderr } = await runInHost({ args: [], env, cwd: folder, module: bundlePath });
  return { exitCode, log: stdout + stderr };
}

/**
 * Runs the committed bundle like a GitHub runner, and resolves to its outputs. In a process that is reused, unless the
 * test is about the process.
 */
export async function act(
  inputs: Record<string, string>,
  environment: Record<string, string> = {},
  { isOwnProcess = isFull } = {},
) {
  const files = { GITHUB_OUTPUT: path.join(folder, 'output'), GITHUB_STEP_SUMMARY: path.join(folder, 'summary') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const given = { 'api-key': KEY, 'base-url': origin(), ...inputs };
  const env = {
    PATH: process.env.PATH ?? '',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_SHA: 'abc',
    GITHUB_API_URL: origin(),
    ...files,
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    ...environment,
  };
  const { exitCode: code, log } = isOwnProcess ? await spawnAction(env) : await hostAction(env);
  const output = readFileSync(files.GITHUB_OUTPUT, 'utf8');
  const outputs = Object.fromEntries(
    [...output.matchAll(/^(.+?)<<(ghadelimiter_\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [name, value]),
  );
  return { code, log, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
}

export const start = { target: 'https://shop.example.com/', 'verification-id': 'ver_1' };

export function asPullRequest(repository: string): Record<string, string> {
  const file = path.join(folder, 'event.json');
  writeFileSync(file, JSON.stringify({ pull_request: { number: 7, head: { repo: { full_name: repository } } } }));
  return { GITHUB_EVENT_PATH: file };
}

/** Sets up hooks for the calling suite: the server listens, and recorded requests are cleared before each test. */
export function playService(): void {
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sortie-action-'));
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    asked.length = 0;
    for (const call of Object.keys(answers)) delete answers[call];
  });
}

/** Returns a file that the action wrote, or null. */
export function readWritten(file: string): string | null {
  const written = path.join(folder, file);
  return existsSync(written) ? readFileSync(written, 'utf8') : null;
}
