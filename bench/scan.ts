import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type OutgoingHttpHeaders } from 'node:http2';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ScanChild, type Scanned, startScanChild } from './scan-child.ts';
import { type SlowSite, startSlowSite } from './scan-site.ts';
import { residentMegabytes } from './side-by-side.ts';

const ROUNDS = 15;
const WARM_UP_ROUNDS = 10;
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

const urlOf = ({ port }: SlowSite) => `https://127.0.0.1:${port}/`;

/** The lower bound with HTTP/1.1: a connection, the page, and then all dependent requests, six in parallel. */
async function bareRequests(site: SlowSite, requests: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, ca: [site.root] });
  await get(urlOf(site), agent);
  await Promise.all(Array.from({ length: requests - 1 }, (_, index) => get(`${urlOf(site)}${index}`, agent)));
  agent.destroy();
}

/** The longest chain of round trips in a scan: a connection, TLS, the page, and one more request. */
async function bareChain(site: SlowSite): Promise<void> {
  const session = connect(urlOf(site), { ca: [site.root] });
  const getOver = async (headers: OutgoingHttpHeaders) => {
    const stream = session.request(headers).resume();
    await once(stream, 'end');
  };
  await getOver({ ':path': '/' });
  await getOver({ ':path': '/0' });
  session.destroy();
}

function requestsOf({ result, egress }: Scanned): number {
  if (!('score' in result)) throw new Error(`The site was not judged: ${JSON.stringify(result)}`);
  return egress.reduce((sum, { requests }) => sum + requests, 0);
}

/** Resolves to the duration of a scan, and its ratio to `bare`. */
async function compareAlone(
  site: SlowSite,
  child: ScanChild,
  bare: (requests: number) => Promise<void>,
): Promise<{ ms: number; ratio: number }> {
  const url = urlOf(site);
  const first = await timed(() => child.scan(url));
  const requests = requestsOf(first.value);
  const connections = first.value.egress.reduce((sum, entry) => sum + entry.connections, 0);
  console.log(`  the first scan: ${Math.round(first.ms)} ms, ${requests} requests, ${connections} connections`);
  const ours: number[] = [];
  const ratios: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const least = await timed(() => bare(requests));
    const scan = await timed(() => child.scan(url));
    if (round < 0) continue;
    ours.push(scan.ms);
    ratios.push(scan.ms / least.ms);
    console.log(
      `  bare ${least.ms.toFixed(0)} ms   scan ${scan.ms.toFixed(0)} ms   ratio ${ratios.at(-1)?.toFixed(2)}`,
    );
  }
  return { ms: median(ours), ratio: median(ratios) };
}

/** Measures a site with HTTP/2. */
async function benchAlone(site: SlowSite, child: ScanChild): Promise<number> {
  const { ms, ratio } = await compareAlone(site, child, () => bareChain(site));
  console.log(`scan: ${ratio.toFixed(2)} times the longest chain of round trips that it needs`);
  if (ratio > MOST) throw new Error(`A scan takes more than ${MOST} times as long as its longest chain`);
  return ms;
}

/** Measures a site without HTTP/2, where requests cannot share a connection. */
async function benchOneByOne(): Promise<void> {
  const site = await startSlowSite(1, 'http/1.1');
  const child = await startScanChild(site.trusted);
  try {
    const { ratio } = await compareAlone(site, child, (requests) => bareRequests(site, requests));
    console.log(`scan: ${ratio.toFixed(2)} times the same requests by HTTP/1.1 done bare, six at once`);
    if (ratio > MOST) throw new Error(`A scan takes more than ${MOST} times as long as its requests`);
  } finally {
    child.stop();
    await site.stop();
  }
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

/** Runs all scans in one process, as on a busy worker. */
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

/** Compares a whole scan of a site with 20 ms round-trip time to the round trips it needs. */
export async function benchScan(): Promise<void> {
  await benchOneByOne();
  const site = await startSlowSite(TOGETHER, 'h2');
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
