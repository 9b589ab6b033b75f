import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ScanChild, type Scanned, startScanChild } from './scan-child.ts';
import { type SlowSite, startSlowSite } from './scan-site.ts';
import { residentMegabytes } from './side-by-side.ts';

const ROUNDS = 9;
const WARM_UP_ROUNDS = 5;
const AT_ONCE = 6;
const TOGETHER = 50;
const MOST = 3;
const MOST_MEGABYTES = 20;
const LEAST_TIMES = 20;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const startedAt = performance.now();
  const value = await work();
  return { ms: performance.now() - startedAt, value };
}

const get = (url: string, agent: Agent) =>
  new Promise<void>((resolve, reject) => {
    request(url, { agent }, (response) => response.resume().once('end', resolve))
      .once('error', reject)
      .end();
  });

/** What nobody can do faster: a connection, the page, and then all that depends on it, six at a time. */
async function bareChain({ port, root }: SlowSite, wave: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, ca: [root] });
  const url = `https://127.0.0.1:${port}/`;
  await get(url, agent);
  await Promise.all(Array.from({ length: wave }, (_, index) => get(`${url}${index}`, agent)));
  agent.destroy();
}

function requestsOf({ result, egress }: Scanned): number {
  if (!('score' in result)) throw new Error(`The site was not judged: ${JSON.stringify(result)}`);
  return egress.reduce((sum, { requests }) => sum + requests, 0);
}

async function benchAlone(site: SlowSite, child: ScanChild): Promise<number> {
  const url = `https://127.0.0.1:${site.port}/`;
  const first = await timed(() => child.scan(url));
  const requests = requestsOf(first.value);
  const connections = first.value.egress.reduce((sum, entry) => sum + entry.connections, 0);
  console.log(`  the first scan: ${Math.round(first.ms)} ms, ${requests} requests, ${connections} connections`);
  const ours: number[] = [];
  const ratios: number[] = [];
  const shortest: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const bare = await timed(() => bareChain(site, requests - 1));
    const short = await timed(() => bareChain(site, 1));
    const scan = await timed(() => child.scan(url));
    if (round < 0) continue;
    ours.push(scan.ms);
    ratios.push(scan.ms / bare.ms);
    shortest.push(scan.ms / short.ms);
    console.log(`  bare ${bare.ms.toFixed(0)} ms   scan ${scan.ms.toFixed(0)} ms   ratio ${ratios.at(-1)?.toFixed(2)}`);
  }
  const ratio = median(ratios);
  console.log(`scan: median ratio ${ratio.toFixed(2)} to the same requests done bare, six at once`);
  console.log(`scan: ${median(shortest).toFixed(2)} times a chain whose last wave is a single request`);
  if (ratio > MOST) throw new Error(`A scan takes more than ${MOST} times as long as its round trips`);
  return median(ours);
}

interface Program {
  name: string;
  file: string;
  parameters: string[];
  /** How many times faster our whole scan must be. */
  least: number;
}

const programs: Program[] = [
  { name: 'sslscan', file: '/usr/bin/sslscan', parameters: ['--no-colour'], least: 0 },
  {
    name: "testssl.sh's protocols, suites and certificates",
    file: '/usr/bin/testssl',
    parameters: ['--quiet', '--color', '0', '--warnings', 'off', '-p', '-s', '-f', '-P', '-S'],
    least: LEAST_TIMES,
  },
];

async function benchPrograms(site: SlowSite, ours: number): Promise<void> {
  for (const { name, file, parameters, least } of programs) {
    if (!existsSync(file)) {
      console.log(`  ${name}: not installed`);
      continue;
    }
    const run = () => promisify(execFile)(file, [...parameters, `127.0.0.1:${site.port}`]).catch(() => undefined);
    const { ms } = await timed(run);
    console.log(`scan: ${(ms / ours).toFixed(1)} times as fast as ${name} (${(ms / 1_000).toFixed(1)} s)`);
    if (ms / ours < least) throw new Error(`A scan is less than ${least} times as fast as ${name}`);
  }
}

/** All of it in one process, as a busy worker has it. */
async function benchTogether({ port }: SlowSite, child: ScanChild, alone: number): Promise<void> {
  const idle = residentMegabytes(child.pid);
  let most = idle;
  const over = new AbortController();
  const watching = (async () => {
    for (; !over.signal.aborted; await sleep(20)) most = Math.max(most, residentMegabytes(child.pid));
  })();
  const urls = Array.from({ length: TOGETHER }, (_, index) => `https://127.0.0.${index + 1}:${port}/`);
  const { ms, value } = await timed(() => Promise.all(urls.map((url) => child.scan(url))));
  over.abort();
  await watching;
  const requests = value.reduce((sum, scanned) => sum + requestsOf(scanned), 0);
  const each = (most - idle) / TOGETHER;
  console.log(
    `  ${TOGETHER} at once: ${(ms / 1_000).toFixed(1)} s, ${requests} requests, idle ${idle} MB, at most ${most} MB`,
  );
  console.log(`scan: ${((alone * TOGETHER) / ms).toFixed(1)} times as many at once as one after the other`);
  console.log(
    `scan: ${(TOGETHER / (ms / 1_000)).toFixed(1)} scans a second, ${each.toFixed(1)} MB for each above the idle child`,
  );
  if (each > MOST_MEGABYTES) throw new Error(`A scan takes more than ${MOST_MEGABYTES} MB of memory`);
}

/** A whole scan of a site that is 20 milliseconds away, against the round trips that it needs. */
export async function benchScan(): Promise<void> {
  const site = await startSlowSite(TOGETHER);
  try {
    const child = await startScanChild(site.trusted);
    const alone = await benchAlone(site, child);
    child.stop();
    const another = await startScanChild(site.trusted);
    await benchTogether(site, another, alone);
    another.stop();
    await benchPrograms(site, alone);
  } finally {
    await site.stop();
  }
}
