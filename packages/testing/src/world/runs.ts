import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import http from 'node:http';
import type { Coverage, Pentest } from '@sortie/contract';
import type { PentestFinding, ScanResult } from '@sortie/engine';
import { call } from '../http/call.ts';
import { startTestServer, type TestServer } from '../server/server.ts';
import { waitFor } from '../server/up.ts';
import { createStarter, pentestOf, type Starter, startPentest } from './pentests.ts';
import { manyRequests } from './starts.ts';
import type { World } from './world.ts';

/** In the order of a run. */
export const phases = ['VERIFYING', 'RECON', 'ENUMERATION', 'WEB_TEST', 'API_TEST', 'ANALYSIS', 'REPORTING'] as const;

interface Crash {
  how: 'exit' | 'kill' | 'fault' | 'hang' | 'memory';
  times: number;
}

interface ScriptedStep {
  phase: (typeof phases)[number];
  milliseconds?: number;
  requests?: number;
  modelMicrodollars?: number;
  asks?: string[];
  findings?: PentestFinding[];
  crash?: Crash;
}

export interface Script {
  steps?: ScriptedStep[];
  outcome?: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  untested?: { group: string; reason: string; cure: string }[];
  coverage?: Coverage;
  retested?: string[];
  scan?: { milliseconds?: number; crash?: Crash; result: ScanResult };
}

/** Longer than any test waits: such a step ends only by being killed. */
export const ENDLESS_MS = 600_000;

export function finding(fingerprint: string, changes: Partial<PentestFinding> = {}): PentestFinding {
  return {
    title: `Finding ${fingerprint}`,
    description: 'What it is.',
    severity: 'HIGH',
    confidence: 'FIRM',
    affectedUrl: 'https://shop.example.test/search',
    remediation: 'Repair it.',
    cvssScore: 7.5,
    cwe: 89,
    method: 'GET',
    parameter: 'q',
    fingerprint,
    checkId: 'sql-injection-error',
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    cvss4Vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
    impact: 'An attacker reads the database.',
    stepsToReproduce: ['Send the request.'],
    location: 'query',
    references: ['https://cwe.mitre.org/data/definitions/89.html'],
    ...changes,
  };
}

/** Sets the script that the engine follows for runs of this account that are picked up from now on. */
export const play = ({ admin }: World, { accountId }: Pick<Starter, 'accountId'>, script: Script) =>
  admin.fault.engine({ account: accountId, script: JSON.stringify(script) });

export interface Run {
  id: string;
  starter: Starter;
}

interface RunOptions {
  depth?: 'LEAD' | 'STANDARD' | 'DEEP';
  /** A new account by default. */
  starter?: Starter;
}

/** Starts a run that follows this script. */
export async function startRun(world: World, script: Script, options: RunOptions = {}): Promise<Run> {
  const { depth = 'LEAD', starter = await createStarter(world) } = options;
  await play(world, starter, script);
  return { starter, id: await startPentest(world.server.baseUrl, starter, { ...starter.target, depth }) };
}

export const readRun = ({ server }: World, { id, starter }: Run) => pentestOf(server.baseUrl, starter, id);

export const isOver = ({ status }: Pick<Pentest, 'status'>) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(status);

/** Many times the duration on an idle machine. */
export const RUN_WITHIN_MS = 240_000;

export async function waitUntil(
  world: World,
  run: Run,
  is: (pentest: Pentest) => boolean,
  withinMs: number = RUN_WITHIN_MS,
): Promise<Pentest> {
  let pentest = await readRun(world, run);
  const look = async () => {
    pentest = await readRun(world, run);
    return is(pentest) || isOver(pentest);
  };
  await waitFor(look, { what: () => `a change of ${JSON.stringify(pentest)}`, withinMs });
  assert.ok(is(pentest), `the run ended before: ${JSON.stringify(pentest)}`);
  return pentest;
}

export const waitUntilOver = (world: World, run: Run, withinMs?: number) => waitUntil(world, run, isOver, withinMs);

export const waitForStatus = (world: World, run: Run, status: Pentest['status']) =>
  waitUntil(world, run, (pentest) => pentest.status === status);

/** Resolves to the operator's view of a run: its lease, attempts and finished steps. */
export const inspect = ({ admin }: World, { id }: Pick<Run, 'id'>) => admin.run.show({ run: id });

export async function waitForSteps(world: World, run: Run, count: number): Promise<void> {
  const look = async () => (await inspect(world, run)).steps.length >= count;
  await waitFor(look, { what: `${count} steps of ${run.id}`, withinMs: RUN_WITHIN_MS });
}

/** Reads at a steady rate until `stop` is called, which resolves to the measured rate. */
export function readSteadily({ server }: World, { id, starter }: Run, perSecond: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 50 });
  const since = performance.now();
  let sent = 0;
  const durations: number[] = [];
  const statuses: number[] = [];
  const read = async () => {
    sent++;
    const path = `${server.baseUrl}/v1/pentests/${id}`;
    const sentAt = performance.now();
    statuses.push((await call(path, { key: starter.apiKey, agent })).status);
    durations.push(performance.now() - sentAt);
  };
  const reading = setInterval(() => {
    const due = ((performance.now() - since) * perSecond) / 1_000 - sent;
    // Catches up after delays on a busy machine, but not all at once.
    for (let time = 0; time < Math.min(due, 3); time++) void read();
  }, 1_000 / perSecond);
  return {
    statuses,
    durations,
    async stop(): Promise<{ perSecond: number }> {
      clearInterval(reading);
      await waitFor(() => statuses.length === sent, { what: 'the last answers' });
      agent.destroy();
      return { perSecond: (sent * 1_000) / (performance.now() - since) };
    },
  };
}

interface NodeOptions {
  role?: 'worker' | 'all';
  env?: Record<string, string>;
}

/** Starts another server on the world's database. The caller must stop it. */
export function startNode({ testDatabase }: World, { role = 'worker', env = {} }: NodeOptions = {}) {
  return startTestServer({
    databaseUrl: testDatabase.url,
    flags: ['--no-demo', '--role', role],
    env: { ...manyRequests, ...env },
  });
}

/** Resolves to the running child processes. */
export async function childrenOf({ child }: Pick<TestServer, 'child'>): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const children = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(parent) === child.pid && state !== 'Z' ? [Number(pid)] : [];
    }),
  );
  return children.flat();
}

export const isAlive = async (pid: number) =>
  /^State:\s+[^ZX]/m.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''));
