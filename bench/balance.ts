import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { defaultCatalogue, openAdmin } from '@sortie/server';
import autocannon from 'autocannon';
import { startTestServer } from '../test/support/server.ts';
import { createBenchDatabase } from './bench-database.ts';

const ACCOUNTS = 600;
/** An account is limited to five times what a key is, so five keys use both limits to the full. */
const KEYS_PER_ACCOUNT = 5;
const CONNECTIONS = 32;
const ROUNDS = 9;
const ROUND_SECONDS = 2;
const WARM_UP_ROUNDS = 6;

interface Caller {
  accountId: string;
  apiKey: string;
}

interface Measured {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  others: number;
}

async function seed(connection: Parameters<typeof openAdmin>[0]['connection']): Promise<Caller[]> {
  const admin = openAdmin({ connection, catalogue: defaultCatalogue });
  const callers: Caller[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const { id: account } = await admin.account.create({ name: `Account ${i}`, kind: 'organization', plan: 'team' });
    const { id: user } = await admin.user.create({ email: `${randomUUID()}@example.test` });
    await admin.member.add({ account, user, role: 'OWNER' });
    await admin.credits.grant({ account, source: 'purchased', amount: '1000' });
    await admin.credits.grant({ account, source: 'purchased', amount: '1000', expires: '60d' });
    for (let j = 0; j < KEYS_PER_ACCOUNT; j++) {
      const { key } = await admin.key.create({ account, user, permissions: 'all' });
      callers.push({ accountId: account, apiKey: key.reveal() });
    }
  }
  await admin.close();
  return callers;
}

async function startBareServer(databaseUrl: string): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bare-server.ts')], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  return { url, stop: () => child.kill() };
}

let nextCaller = 0;

/** Every request goes out in the name of the next caller, so that none comes near its limit. */
async function measure(url: string, callers: Caller[], toRequest: (caller: Caller) => object): Promise<Measured> {
  const share = Math.floor(callers.length / CONNECTIONS);
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    setupClient(client: autocannon.Client) {
      const start = (nextCaller++ % CONNECTIONS) * share;
      client.setRequests(callers.slice(start, start + share).map(toRequest));
    },
  });
  const ok = result.statusCodeStats?.['200']?.count ?? 0;
  return {
    requestsPerSecond: ok / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    others: result.requests.total - ok,
  };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function residentMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

export async function benchBalance(): Promise<void> {
  const database = await createBenchDatabase();
  const callers = await seed(database.connection);
  const bare = await startBareServer(database.url);
  const server = await startTestServer({ databaseUrl: database.url, flags: ['--no-demo'], keepLog: false });
  try {
    const measureBare = () => measure(bare.url, callers, ({ accountId }) => ({ path: `/balance/${accountId}` }));
    const measureOurs = () =>
      measure(server.baseUrl, callers, ({ apiKey }) => ({
        path: '/v1/credits/balance',
        headers: { authorization: `Bearer ${apiKey}` },
      }));
    // Both get to the state they stay in: code compiled, plans cached, connections open.
    for (let i = 0; i < WARM_UP_ROUNDS; i++) {
      await measureBare();
      await measureOurs();
    }
    const rounds: { bare: Measured; ours: Measured }[] = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push({ bare: await measureBare(), ours: await measureOurs() });
    report(rounds, residentMegabytes(server.child.pid));
  } finally {
    bare.stop();
    await server.stop();
    await database.drop();
  }
}

function report(rounds: { bare: Measured; ours: Measured }[], megabytes: number): void {
  for (const { bare, ours } of rounds) {
    const ratio = ours.requestsPerSecond / bare.requestsPerSecond;
    console.log(`  bare ${format(bare)}   balance ${format(ours)}   ratio ${ratio.toFixed(2)}`);
  }
  const ratio = median(rounds.map(({ bare, ours }) => ours.requestsPerSecond / bare.requestsPerSecond));
  console.log(`balance: median ratio ${ratio.toFixed(2)} of ${rounds.length} rounds, server memory ${megabytes} MB`);
  if (ratio < 0.5) throw new Error('GET /v1/credits/balance is slower than half of a bare read');
  if (rounds.some(({ ours }) => ours.others > 0))
    throw new Error('some answers were not 200: the figures do not count');
}

function format({ requestsPerSecond, p50, p99, others }: Measured): string {
  const failures = others > 0 ? ` (${others} not 200)` : '';
  return `${Math.round(requestsPerSecond)}/s p50 ${p50} ms p99 ${p99} ms${failures}`;
}
