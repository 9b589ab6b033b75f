import type { Log } from '../platform/log.ts';
import type { OwnUsers } from '../platform/own-users.ts';
import type { SystemUser } from '../platform/run-as.ts';
import { endProcessesOf } from './end-processes.ts';
import { createEngineFolders, type EngineFolder, type EngineFolders } from './engine-folder.ts';
import type { MemoryCgroups } from './memory-cgroup.ts';
import type { Privileges } from './privileges.ts';

export interface EngineIsolationOptions {
  /** Undefined means the user of this process. */
  user: SystemUser | undefined;
  /**
   * One user per engine, so that no engine can signal another or read its memory. Falls back to `user`, with a warning.
   */
  users?: OwnUsers | undefined;
  /** Creates the folders for temporary files. A worker that stops waits until they are removed. */
  folders?: EngineFolders | undefined;
  /** Undefined if only the worker limits the memory of engines. */
  memory?: MemoryCgroups | undefined;
  /** Undefined if engines may gain privileges. */
  privileges?: Privileges | undefined;
  log?: Log | undefined;
}

/** The system user and the temporary folder of one engine, exclusive to it while it runs. */
export interface EngineIsolation {
  user: SystemUser | undefined;
  folder: string;
  /**
   * Call it after the engine has ended. Ends its user's processes and removes its files before the user is reused. A
   * user whose files cannot be removed is not reused.
   */
  clear(): Promise<void>;
}

const NO_USER_CURE = 'Lower SORTIE_PENTEST_SLOTS or SORTIE_SCAN_SLOTS, or run fewer servers on this machine.';

/** Reserves a user and a folder for one engine. Throws if no folder can be created. */
export function isolateEngine({ user, users, privileges, log, ...given }: EngineIsolationOptions): EngineIsolation {
  const { folders = createEngineFolders({ privileges, log }) } = given;
  const own = users?.take();
  if (users && !own) {
    log?.warn('an engine shares its user with others: no separate user is free', { reason: NO_USER_CURE });
  }
  const giveBack = () => {
    if (own) users?.giveBack(own);
  };
  let folder: EngineFolder;
  try {
    folder = folders.create(own ?? user);
  } catch (error) {
    giveBack();
    throw error;
  }
  return {
    user: own ?? user,
    folder: folder.path,
    async clear() {
      const left = own ? await endProcessesOf(own) : 0;
      if (left > 0) log?.warn('processes of an engine could not be ended', { count: left });
      // The next engine with this user could read the files.
      if (await folder.remove()) giveBack();
    },
  };
}
