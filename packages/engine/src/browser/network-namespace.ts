import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A program that starts another one in a new network namespace, whose only interface is a loopback that is down. */
export interface NetworkNamespace {
  program: string;
  /** Call it after the program has started. */
  remove(): Promise<void>;
}

/** From util-linux. The engine has no PATH to find it by. */
const UNSHARE = ['/usr/bin/unshare', '/bin/unshare'];
const PROBE_MS = 10_000;

/** Root needs no user namespace, and would lose access to other users in one. */
const options = () => (process.getuid?.() === 0 ? '--net' : '--user --map-current-user --net');

/**
 * Resolves with undefined if the kernel does not allow it. Writes a script, because Playwright starts a program with
 * its own arguments.
 */
export async function createNetworkNamespace(program: string): Promise<NetworkNamespace | undefined> {
  const unshare = await findProgram(UNSHARE);
  if (unshare === undefined) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'sortie-browser-'));
  const write = async (name: string, started: string) => {
    const file = path.join(folder, name);
    await writeFile(file, `#!/bin/sh\nexec ${unshare} ${options()} -- ${quote(started)} "$@"\n`);
    await chmod(file, 0o700);
    return file;
  };
  const remove = () => rm(folder, { recursive: true, force: true });
  if (await canRun(await write('probe', '/bin/true'))) return { program: await write('browser', program), remove };
  await remove();
  return undefined;
}

async function findProgram(candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return undefined;
}

const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

const canRun = (program: string) =>
  new Promise<boolean>((resolve) => {
    execFile(program, { env: {}, timeout: PROBE_MS }, (error) => resolve(error === null));
  });
