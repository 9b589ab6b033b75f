import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';

const CONNECTIONS = 32;
const ROUNDS = 9;
const ROUND_SECONDS = 2;
const WARM_UP_ROUNDS = 6;

interface Measured {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  others: number;
}

/** One side of a comparison: the URL, the callers and the request of each. */
interface Side<Caller> {
  url: string;
  callers: readonly Caller[];
  toRequest(caller: Caller): autocannon.Request;
}

let nextClient = 0;

/** Rotates the callers with every request, so that none reaches its rate limit. */
async function measure<Caller>({ url, callers, toRequest }: Side<Caller>, status: number): Promise<Measured> {
  const share = Math.floor(callers.length / CONNECTIONS);
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    setupClient(client: autocannon.Client) {
      const start = (nextClient++ % CONNECTIONS) * share;
      client.setRequests(callers.slice(start, start + share).map(toRequest));
    },
  });
  const expected = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  return {
    requestsPerSecond: expected / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    others: result.requests.total - expected,
  };
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export interface Comparison<Caller> {
  name: string;
  /** The expected status of both sides. */
  status: number;
  bare: Side<Caller>;
  ours: Side<Caller>;
}

/**
 * Measures both sides alternately, so that other load on the machine affects both, and resolves to the median ratio.
 */
export async function compare<Caller>({ name, status, bare, ours }: Comparison<Caller>): Promise<number> {
  // Warm-up: compiled code, cached plans, open connections.
  for (let i = 0; i < WARM_UP_ROUNDS; i++) {
    await measure(bare, status);
    await measure(ours, status);
  }
  const ratios: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const measured = { bare: await measure(bare, status), ours: await measure(ours, status) };
    const ratio = measured.ours.requestsPerSecond / measured.bare.requestsPerSecond;
    ratios.push(ratio);
    console.log(`  bare ${format(measured.bare)}   ${name} ${format(measured.ours)}   ratio ${ratio.toFixed(2)}`);
    if (measured.ours.others + measured.bare.others > 0) {
      throw new Error(`${name}: some answers were not ${status}: the figures do not count`);
    }
  }
  return median(ratios);
}

function format({ requestsPerSecond, p50, p99, others }: Measured): string {
  const failures = others > 0 ? ` (${others} others)` : '';
  return `${Math.round(requestsPerSecond)}/s p50 ${p50} ms p99 ${p99} ms${failures}`;
}

export function residentMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

export async function startBareServer(databaseUrl: string): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bare-server.ts')], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  return { url, stop: () => child.kill() };
}
