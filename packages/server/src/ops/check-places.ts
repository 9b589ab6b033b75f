import { readdir, stat } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { StartupError } from '../errors/startup-error.ts';
import { holdPort, type ListenAddress } from './listen.ts';
import { OPS_HOST } from './ops-server.ts';
import { readTls } from './tls.ts';

/** The demo target is reachable from this machine only. */
export const RANGE_HOST = '127.0.0.1';

type PlacesOfConfig = Pick<Config, 'dataDir' | 'role' | 'host' | 'port' | 'rangePort' | 'opsPort' | 'demo' | 'tls'>;

/** Fails early where the start would fail later, so that a refused start leaves no new database behind. */
export async function checkPlaces(config: PlacesOfConfig): Promise<void> {
  await refuseFile(config.dataDir);
  if (config.tls && config.role !== 'worker') readTls(config.tls);
  // On a folder in use a server may already run, and its lock gives a better error than its ports.
  if (await isUnused(config.dataDir)) await checkPorts(config);
}

async function refuseFile(dataDir: string): Promise<void> {
  const found = await stat(dataDir).catch(() => undefined);
  if (found && !found.isDirectory())
    throw new StartupError(`The data folder ${dataDir} is a file. Choose a folder with --data.`);
}

async function isUnused(dataDir: string): Promise<boolean> {
  const names = await readdir(dataDir).catch(() => []);
  return names.length === 0;
}

/** Reports all unavailable ports at once. */
export async function checkPorts({ role, host, port, rangePort, opsPort, demo }: PlacesOfConfig): Promise<void> {
  const places: ListenAddress[] = [];
  if (role !== 'worker') places.push({ host, port, flag: '--port' });
  if (role === 'all' && demo) places.push({ host: RANGE_HOST, port: rangePort, flag: '--range-port' });
  places.push({ host: OPS_HOST, port: opsPort, flag: '--ops-port' });
  // Holds all of them at the same time, to detect two that are the same.
  const tries = await Promise.allSettled(places.map(holdPort));
  await Promise.all(tries.map((tried) => tried.status === 'fulfilled' && tried.value.release()));
  const errors = tries.flatMap((tried) => (tried.status === 'rejected' ? [tried.reason as Error] : []));
  const unexpected = errors.find((error) => !(error instanceof StartupError));
  if (unexpected) throw unexpected;
  if (errors.length > 0) throw new StartupError(errors.map(({ message }) => message).join('\n'));
}
