import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { randomBase62 } from '../../../server/src/platform/new-id.ts';
import type { TestDatabase } from '../database/database.ts';
import { startTestServer, type TestServer } from '../server/server.ts';
import { childrenOf } from '../world/runs.ts';

export interface WorkerNode {
  /** Its database user, unique to this worker. */
  name: string;
  server: TestServer;
  pid: number;
  /** Returns whether a lease with this owner belongs to the worker. */
  isOwner(owner: string | null): boolean;
}

export interface Workers {
  /** All workers ever started. */
  started: readonly WorkerNode[];
  /** Returns the workers that are ready and not paused. */
  running(): WorkerNode[];
  /** Kills the worker and starts a replacement at once. */
  kill(node: WorkerNode): Promise<void>;
  pause(node: WorkerNode): void;
  resume(node: WorkerNode): void;
  /** Stops all workers and resolves to their exit codes. */
  stop(): Promise<(number | null)[]>;
  /** Resolves to engines of the workers that still run although they should have ended. */
  leftovers(): Promise<number[]>;
  /** Kills all workers and removes their database users. */
  abandon(): Promise<void>;
}

interface WorkersOptions {
  size: number;
  env: Record<string, string>;
}

/** Keeps `size` worker nodes running on one database, replacing killed ones. */
export async function createWorkers(testDatabase: TestDatabase, { size, env }: WorkersOptions): Promise<Workers> {
  const started: WorkerNode[] = [];
  const alive = new Set<WorkerNode>();
  const paused = new Set<WorkerNode>();
  const opening = new Set<Promise<void>>();
  const users = createUsers(testDatabase);
  const engines = createEngineList();
  let failure: Error | undefined;
  let isEnding = false;

  async function open(): Promise<void> {
    const { name, databaseUrl } = await users.create();
    const flags = ['--no-demo', '--role', 'worker'];
    const node = toWorkerNode(name, await startTestServer({ databaseUrl, flags, env }));
    started.push(node);
    alive.add(node);
    node.server.child.once('exit', (code) => {
      if (alive.delete(node)) failure ??= new Error(`a worker ended by itself (${code}): ${node.server.log()}`);
    });
    if (isEnding) await end(node, 'SIGKILL');
  }

  function add(): Promise<void> {
    const added = open()
      .catch((error: Error) => {
        failure ??= error;
      })
      .finally(() => opening.delete(added));
    opening.add(added);
    return added;
  }

  function end(node: WorkerNode, signal: NodeJS.Signals): Promise<number | null> {
    alive.delete(node);
    return node.server.stop(signal);
  }

  function pause(node: WorkerNode): void {
    paused.add(node);
    node.server.child.kill('SIGSTOP');
  }

  function resume(node: WorkerNode): void {
    if (paused.delete(node)) node.server.child.kill('SIGCONT');
  }

  // This process may be terminated early.
  process.once('exit', () => {
    for (const { server } of alive) server.child.kill('SIGKILL');
  });
  // The first one fills the compile cache, which makes the others start faster.
  await add();
  await Promise.all(Array.from({ length: size - 1 }, add));
  if (failure) throw failure;
  return {
    started,
    running() {
      if (failure) throw failure;
      return [...alive].filter((node) => !paused.has(node));
    },
    async kill(node) {
      // Its engines are listed while it cannot start another one.
      pause(node);
      await engines.note(node);
      await end(node, 'SIGKILL');
      add();
    },
    pause,
    resume,
    async stop() {
      isEnding = true;
      for (const node of paused) resume(node);
      await Promise.all(opening);
      if (failure) throw failure;
      const last = [...alive];
      await Promise.all(last.map(engines.note));
      return Promise.all(last.map((node) => end(node, 'SIGTERM')));
    },
    leftovers: engines.alive,
    async abandon() {
      isEnding = true;
      await Promise.all(opening);
      await Promise.all([...alive].map((node) => end(node, 'SIGKILL')));
      await users.remove();
    },
  };
}

function toWorkerNode(name: string, server: TestServer): WorkerNode {
  const { pid } = server.child;
  if (pid === undefined) throw new Error('a server without a process');
  const beginning = `${hostname()}-${pid}-`;
  return { name, server, pid, isOwner: (owner) => owner?.startsWith(beginning) ?? false };
}

/** Every worker has its own database user, which identifies its sessions and writes. */
function createUsers({ database: { pool }, connection: { user }, url }: TestDatabase) {
  const prefix = `worker_${randomBase62(8).toLowerCase()}`;
  const names: string[] = [];
  return {
    async create(): Promise<{ name: string; databaseUrl: string }> {
      const name = `${prefix}_${names.length + 1}`;
      names.push(name);
      const password = randomBase62(20);
      await pool.query(`create role ${name} login password '${password}' in role ${user}`);
      return { name, databaseUrl: url.replace(/\/\/[^@]*@/, `//${name}:${password}@`) };
    },
    async remove(): Promise<void> {
      for (const name of names) await pool.query(`drop role ${name}`);
    },
  };
}

interface Engine {
  pid: number;
  /** In clock ticks. */
  start: number;
}

/** Sorted youngest first. */
async function findEngines({ server }: WorkerNode): Promise<Engine[]> {
  const engines = (await childrenOf(server)).map(async (pid) => ({ pid, start: (await startOf(pid)) ?? 0 }));
  return (await Promise.all(engines)).sort((one, other) => other.start - one.start);
}

export const enginesOf = async (node: WorkerNode): Promise<number[]> => (await findEngines(node)).map(({ pid }) => pid);

/** The engines that were seen, identified by pid and start time, because pids are reused. */
function createEngineList() {
  const seen: Engine[] = [];
  return {
    async note(node: WorkerNode): Promise<void> {
      seen.push(...(await findEngines(node)));
    },
    async alive(): Promise<number[]> {
      const starts = await Promise.all(seen.map(({ pid }) => startOf(pid)));
      return seen.filter(({ start }, index) => starts[index] === start).map(({ pid }) => pid);
    },
  };
}

/** Resolves to undefined if the process does not exist or is a zombie. */
async function startOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields.length < 20 ? undefined : Number(fields[19]);
}
