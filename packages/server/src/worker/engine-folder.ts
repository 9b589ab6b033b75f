import { chownSync, lstatSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRoot, runAs, type SystemUser } from '../platform/run-as.ts';

/** The temporary files of one engine and its browser, such as the profile with the cookies of a test account. */
export interface EngineFolder {
  path: string;
  /** Resolves when the folder is removed, or when all retries have failed. Never rejects. */
  remove(): Promise<void>;
}

export interface EngineFolders {
  /** Creates a folder that only this user can read; undefined means the user of this process. */
  create(user: SystemUser | undefined): EngineFolder;
  /** Resolves when every folder created here is removed. */
  allRemoved(): Promise<void>;
}

/** Writable by every user, and short enough for the paths of Chromium's sockets. */
const PLACE = '/tmp';
/** Contains the pid of the process that created the folder, and that process's start time. */
const NAME = /^sortie-engine-(\d+)-(\d+)-/;

const TRY_AGAIN_MS = 250;
/** A browser notices within seconds that its engine has ended, and may write files until then. */
const MOST_TRIES = 80;

export function createEngineFolders(): EngineFolders {
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
          await removeFolder(folder, user);
          present.delete(promise);
          resolve();
        },
      };
    },
    async allRemoved() {
      await Promise.all(present);
    },
  };
}

/** Removes folders left behind by servers that ended without cleaning up. Never rejects. */
export async function sweepEngineFolders(): Promise<void> {
  // Other platforms have no /proc, so a process cannot be told from a later one with the same pid.
  if (process.platform !== 'linux') return;
  const left = readdirSync(PLACE).filter((name) => {
    const [, pid, start] = NAME.exec(name) ?? [];
    return pid !== undefined && startOf(Number(pid)) !== start;
  });
  const removals = left.map(async (name) => {
    const folder = path.join(PLACE, name);
    const { uid, gid } = lstatSync(folder);
    if (isRoot() || uid === process.getuid?.()) await removeFolder(folder, isRoot() ? { uid, gid } : undefined);
  });
  await Promise.allSettled(removals);
}

/** Runs `rm` as the folder's owner, so that nothing in the folder can make it delete files of other users. */
async function removeFolder(folder: string, user: SystemUser | undefined): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await runAs(user, 'rm', ['-rf', '--', folder]);
    if (!isThere(folder)) return;
    await sleep(TRY_AGAIN_MS, undefined, { ref: false });
  }
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
