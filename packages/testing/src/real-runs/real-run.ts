import { readdir, readFile } from 'node:fs/promises';
import { endpoints, type StartPentest } from '@sortie/contract';
import { startBareServer } from '../targets/target-servers.ts';
import { parseAnswer, type Starter } from '../world/pentests.ts';
import type { Run } from '../world/runs.ts';
import { createTarget, grantCredits, manyRequests, start } from '../world/starts.ts';
import type { World } from '../world/world.ts';

export type Credentials = NonNullable<StartPentest['credentials']>;

/** A customer of the range. */
export const alice: Credentials[number] = {
  name: 'shop-customer',
  kind: 'FORM_LOGIN',
  user: 'alice',
  pass: 'alice-of-the-range',
};

/** Returns server settings that let engines contact these loopback ports. */
export const allowing = (...ports: number[]) => ({
  ...manyRequests,
  SORTIE_ALLOW_ADDRESSES: ports.map((port) => `127.0.0.1/32:${port}`).join(),
});

export const withWorker = ['--no-demo', '--role', 'all'];

interface RealOptions {
  exclude?: string[];
}

/** Creates a member who may test this target at the highest rate. */
export async function createRealStarter(world: World, url: string, { exclude }: RealOptions = {}): Promise<Starter> {
  const member = await world.createMember();
  await grantCredits(world.admin, member, 10_000);
  const target = await createTarget(world.admin, member, url);
  await allowFast(world, target.verificationId, exclude);
  return { ...member, target };
}

/** Raises the rate limit above what owners of real targets would allow, because tests wait for runs. */
export async function allowFast({ admin }: World, verificationId: string, exclude?: string[]): Promise<void> {
  await admin.target.rules({ id: verificationId, rate: '50', ...(exclude && { exclude }) });
}

/** Returns a port that is currently closed. */
export async function closedPort(): Promise<number> {
  const server = await startBareServer(() => undefined);
  await server.close();
  return server.port;
}

interface StartOptions {
  depth?: 'LEAD' | 'STANDARD' | 'DEEP';
  credentials?: Credentials;
  apiDescription?: string;
}

/** Starts a run without a script: the real engine performs it. */
export async function startReal({ server }: World, starter: Starter, options: StartOptions = {}): Promise<Run> {
  const answer = await start(server.baseUrl, '/v1/pentests', starter, { ...starter.target, ...options });
  return { starter, id: parseAnswer(endpoints.startPentest, answer).id };
}

export async function rowsOf<Row extends object>({ testDatabase }: World, text: string, values: unknown[] = []) {
  const { rows } = await testDatabase.database.pool.query<Row>(text, values);
  return rows;
}

export interface Went {
  host: string;
  port: number;
  address: string;
  outcome: 'CONTACTED' | 'REFUSED';
  reason: string;
  connections: number;
  requests: number;
}

/** Resolves to the run's egress ledger, including refused destinations. */
export const egressOf = (world: World, runId: string) =>
  rowsOf<Went>(
    world,
    `select host, port, address, outcome, reason, connections::integer, requests::integer from egress
     where run_id = $1 order by outcome, host, port`,
    [runId],
  );

export interface Process {
  pid: number;
  parent: number;
  /** Identifies the process together with its pid, which may be reused. */
  startedAt: string;
  command: string;
}

/** Resolves to all running processes, without zombies. */
async function readProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (stat === '' || state === 'Z' || state === 'X') return [];
      const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim();
      return [{ pid: Number(pid), parent: Number(parent), startedAt: rest[17] ?? '', command }];
    }),
  );
  return read.flat();
}

/** Resolves to all descendants of the process. */
export async function descendantsOf(pid: number | undefined): Promise<Process[]> {
  const all = await readProcesses();
  const found: Process[] = [];
  const look = (parent: number | undefined) => {
    for (const child of all.filter((each) => each.parent === parent)) {
      found.push(child);
      look(child.pid);
    }
  };
  look(pid);
  return found;
}

const PROFILE = /--user-data-dir=(\S+)/;

export const profilesOf = (processes: readonly Process[]) => [
  ...new Set(processes.flatMap(({ command }) => PROFILE.exec(command)?.[1] ?? [])),
];

/** Resolves to the processes that still run, and any other process that uses one of their browser profiles. */
export async function remainsOf(processes: readonly Process[]): Promise<Process[]> {
  const profiles = profilesOf(processes);
  const isOne = (each: Process) =>
    processes.some(({ pid, startedAt }) => pid === each.pid && startedAt === each.startedAt);
  const all = await readProcesses();
  return all.filter((each) => isOne(each) || profiles.some((profile) => each.command.includes(profile)));
}
