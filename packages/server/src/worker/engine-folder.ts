import { chownSync, lstatSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, type Log } from '../platform/log.ts';
import { isRoot, type SystemUser } from '../platform/run-as.ts';
import { type Privileges, runAsEngine } from './privileges.ts';

/** The temporary files of one engine and its browser, such as the profile with the cookies of a test account. */
export interface EngineFolder {
  path: string;
  /** Removes the folder. Resolves to whether it is gone, at the latest when all retries have failed. Never rejects. */
  remove(): Promise<boolean>;
}

export interface EngineFolders {
  /** Creates a folder that only this user can read; undefined means the user of this process. */
  create(user: SystemUser | undefined): EngineFolder;
  /** Resolves when the removal of every folder created here has succeeded or failed. */
  allRemoved(): Promise<void>;
}

/** How folders are removed. */
export interface Removal {
  /** Undefined if `rm` may gain privileges. */
  privileges?: Privileges | undefined;
  /** Receives a warning for each folder that could not be removed. */
  log?: Log | undefined;
  mostTries?: number;
}

/** Writable by every user, and short enough for the paths of Chromium's sockets. */
const PLACE = '/tmp';
/** Contains the pid of the process that created the folder, and that process's start time. */
const NAME = /^sortie-engine-(\d+)-(\d+)-/;

const TRY_AGAIN_MS = 250;
/** A browser notices within seconds that its engine has ended, and may write files until then. */
const MOST_TRIES = 80;

/** Creates the temporary folders of engines, which only their user can enter. */
export function createEngineFolders(removal: Removal = {}): EngineFolders {
  const present = new Set<Promise<void>>();
  return {
    create(user) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const folder = mkdtempSync(path.join(PLACE, `sortie-engine-${process.pid}-${startOf(process.pid) ?? 0}-`));
      if (user) chownSync(folder, user.uid, user.gid);
      present.add(promise);
      return {
        path: folder,
        async remove() {
          const isRemoved = await removeFolder(folder, user, removal);
          present.delete(promise);
          resolve();
          return isRemoved;
        },
      };
    },
    async allRemoved() {
      await Promise.all(present);
    },
  };
}

/** Removes folders of servers that ended without cleaning up. Never rejects. */
export async function sweepEngineFolders(removal: Removal = {}, place = PLACE): Promise<void> {
  // Other platforms have no /proc to tell a process from a later one with the same pid.
  if (process.platform !== 'linux') return;
  try {
    const left = readdirSync(place).filter((name) => {
      const [, pid, start] = NAME.exec(name) ?? [];
      return pid !== undefined && startOf(Number(pid)) !== start;
    });
    const removals = left.map(async (name) => {
      const folder = path.join(place, name);
      const { uid, gid } = lstatSync(folder);
      if (isRoot() || uid === process.getuid?.()) {
        await removeFolder(folder, isRoot() ? { uid, gid } : undefined, removal);
      }
    });
    await Promise.allSettled(removals);
  } catch (error) {
    removal.log?.warn('the temporary folders of earlier engines could not be listed', describeError(error));
  }
}

/**
 * Runs `rm` as the folder's owner, so that nothing in the folder can make it delete files of other users. Resolves to
 * whether the folder is gone.
 */
async function removeFolder(
  folder: string,
  user: SystemUser | undefined,
  { privileges, log, mostTries = MOST_TRIES }: Removal,
): Promise<boolean> {
  for (let tries = 0; tries < mostTries; tries++) {
    // An owner cannot empty a directory without permissions. Symbolic links in the folder are not followed.
    if (tries > 0) await runAsEngine(user, privileges, ['chmod', '-R', 'u+rwX', '--', folder]);
    await runAsEngine(user, privileges, ['rm', '-rf', '--', folder]);
    if (!isThere(folder)) return true;
    await sleep(TRY_AGAIN_MS, undefined, { ref: false });
  }
  log?.warn('the temporary folder of an engine could not be removed', { reason: `Remove ${folder}.` });
  return false;
}

function isThere(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
}

/** Returns a process's start time in clock ticks since boot, or undefined if there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name, which may contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
