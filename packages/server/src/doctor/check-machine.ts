import { access, constants, statfs } from 'node:fs/promises';
import path from 'node:path';
import { probeNameServers } from '@sortie/engine';
import type { Config } from '../config/config.ts';
import { readAddresses } from '../demo/addresses-file.ts';
import { checkPorts } from '../ops/check-places.ts';
import { findMemoryCgroups } from '../worker/memory-cgroup.ts';
import { type Diagnosis, passed, reasonOf } from './diagnosis.ts';

const LEAST_FREE_BYTES = 1_024 ** 3;

/** Checks write access and free space where the data folder is, or will be created. */
export async function checkDisk(
  { dataDir }: Pick<Config, 'dataDir'>,
  leastFree = LEAST_FREE_BYTES,
): Promise<Diagnosis> {
  const name = 'disk';
  const folder = await closestFolder(dataDir);
  const { bavail, bsize } = await statfs(folder);
  const free = `${((bavail * bsize) / 1_024 ** 3).toFixed(1)} GiB free in ${folder}`;
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) {
    const cure = 'Name a folder that this user can write to with --data.';
    return { name, state: 'failed', detail: `${folder} cannot be written by this user`, cure };
  }
  if (bavail * bsize >= leastFree) return passed(name, free);
  return { name, state: 'failed', detail: free, cure: 'Free at least 1 GiB, or name another folder with --data.' };
}

async function closestFolder(folder: string): Promise<string> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  return isThere || path.dirname(folder) === folder ? folder : closestFolder(path.dirname(folder));
}

/** Resolves to whether the ports are free. While a server of this data folder is running, it holds them itself. */
export async function checkServicePorts(config: Config): Promise<Diagnosis> {
  const name = 'ports';
  const { port, opsPort, rangePort } = config;
  const running = await readAddresses(config.dataDir);
  if (running && isRunning(running.pid)) {
    return passed(name, `the server of this data folder runs at ${running.baseUrl}`);
  }
  try {
    await checkPorts(config);
    return passed(name, `${[port, rangePort, opsPort].join(', ')} are free`);
  } catch (error) {
    const cure = 'Stop the program that uses the port, or choose another port with the flag above.';
    return { name, state: 'failed', detail: reasonOf(error).replaceAll('\n', ' '), cure };
  }
}

/** Returns true for a process of another user too, although it cannot be signalled. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Resolves to whether the name servers respond. Without one, only targets named by address can be scanned. */
export async function checkNameServers({ network }: Pick<Config, 'network'>, timeoutMs = 2_000): Promise<Diagnosis> {
  const name = 'name server';
  const { servers, failure } = await probeNameServers(network.resolvers, timeoutMs);
  if (failure === null) return passed(name, `${servers.join(', ')} responds`);
  const detail = `${servers.join(', ') || 'none is configured'}: no response (${failure})`;
  const cure = 'Names of targets cannot be resolved. Set SORTIE_RESOLVERS to a name server that this machine reaches.';
  return { name, state: 'warning', detail, cure };
}

/** Returns the memory limit that applies to engines. */
export function checkMemory({ worker: { engineMemoryMegabytes: megabytes } }: Pick<Config, 'worker'>): Diagnosis {
  const measured = `the worker ends engines that exceed ${megabytes} MB`;
  const groups = findMemoryCgroups(megabytes);
  const kernel = groups ? `the kernel by a cgroup in ${groups.parent}` : 'no cgroup is delegated';
  return passed('memory', `${measured}; ${kernel}`);
}
