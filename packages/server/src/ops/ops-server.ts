import http from 'node:http';
import type pg from 'pg';
import { describeError, type Log } from '../platform/log.ts';
import { listen } from './listen.ts';
import type { Metrics } from './metrics.ts';
import { within } from './within.ts';

/** Loopback only, since these endpoints need no authentication. */
export const OPS_HOST = '127.0.0.1';

export interface OpsServer {
  url: string;
  close(): Promise<void>;
}

interface OpsOptions {
  port: number;
  pool: pg.Pool;
  metrics: Metrics;
  log: Log;
  isStopping(): boolean;
}

type OpsAnswer = { status: number; type: string; body: string };

/** Respond before probes time out, which commonly takes a second or more. */
const READY_WITHIN_MS = 900;

const text = (status: number, body: string): OpsAnswer => ({ status, type: 'text/plain; charset=utf-8', body });

async function isReady({ pool, isStopping }: OpsOptions): Promise<boolean> {
  if (isStopping()) return false;
  let answered = false;
  const asked = pool.query('select 1 from service').then(() => {
    answered = true;
  });
  await within(READY_WITHIN_MS, asked).catch(() => undefined);
  return answered && !isStopping();
}

async function answer(path: string, options: OpsOptions): Promise<OpsAnswer> {
  if (path === '/healthz') return text(200, 'ok\n');
  if (path === '/readyz') return (await isReady(options)) ? text(200, 'ready\n') : text(503, 'not ready\n');
  if (path === '/metrics') {
    return { status: 200, type: options.metrics.contentType, body: await options.metrics.text() };
  }
  return text(404, 'Try /healthz, /readyz or /metrics.\n');
}

/** Serves health checks and metrics to the operator's own tools. */
export async function startOpsServer(options: OpsOptions): Promise<OpsServer> {
  const server = http.createServer(async (request, response) => {
    const { status, type, body } = await answer((request.url ?? '').split('?')[0] ?? '', options).catch((error) => {
      options.log.error('an operator request failed', describeError(error));
      return text(500, 'failed\n');
    });
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  });
  const place = { host: OPS_HOST, port: options.port, flag: '--ops-port' } as const;
  const { port, close } = await listen(server, place, options.log);
  return { url: `http://${OPS_HOST}:${port}`, close: () => close(0) };
}
