import { chownSync, lstatSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRoot, runAs, type SystemUser } from '../platform/run-as.ts';

/** The temporary files of one engine and its browser, such as the profile with the cookies of a test account. */
export interface EngineFolder {
  path: string;
  /** Resolves when the folder is gone, or could not be removed for a long time. Never rejects. */
  remove(): Promise<void>;
}

export interface EngineFolders {
  /** Readable by this user only; undefined means the user of this process. */
  create(user: SystemUser | undefined): EngineFolder;
  /** Resolves when every folder that was created here is gone. */
  allRemoved(): Promise<void>;
}

/** Every user can create files there, and Chromium's sockets need a short path. */
const PLACE = '/tmp';
/** Followed by the process that created it and by the time at which that process started. */
const NAME = /^sortie-engine-(\d+)-(\d+)-/;

const TRY_AGAIN_MS = 250;
/** A browser notices within seconds that its engine is gone, and writes until then. */
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

/** Removes the folders of servers that ended without doing so. Never rejects. */
export async function sweepEngineFolders(): Promise<void> {
  // Elsewhere no process can be told from a later one with the same number.
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

/** As the user to whom it belongs: whatever lies in it, nothing of other users is removed. */
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

/** When a process started, in ticks since the machine did; undefined where there is none. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name of the program, which may contain blanks and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
