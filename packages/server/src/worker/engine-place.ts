import type { OwnUsers } from '../platform/own-users.ts';
import { endProcessesOf, type SystemUser } from '../platform/run-as.ts';
import { createEngineFolders, type EngineFolder, type EngineFolders } from './engine-folder.ts';
import type { MemoryCgroups } from './memory-cgroup.ts';

export interface EnginePlaces {
  /** Undefined: the user of this process. */
  user: SystemUser | undefined;
  /** One for each process, so that none can signal another or read its memory; `user` where none is left. */
  users?: OwnUsers | undefined;
  /** For temporary files; the worker that stops waits until they are removed. */
  folders?: EngineFolders | undefined;
  /** Undefined: the worker alone measures the memory of engines. */
  memory?: MemoryCgroups | undefined;
}

/** What the system gives to one engine, and to no other while it runs. */
export interface EnginePlace {
  user: SystemUser | undefined;
  folder: string;
  /** After the engine has ended: the next one with this user finds neither its processes nor its files. */
  clear(): Promise<void>;
}

/** Throws where no folder can be created. */
export function takePlace({ user, users, folders = createEngineFolders() }: EnginePlaces): EnginePlace {
  const own = users?.take();
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
      if (own) await endProcessesOf(own);
      await folder.remove();
      giveBack();
    },
  };
}
