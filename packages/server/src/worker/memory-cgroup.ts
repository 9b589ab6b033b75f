import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Creates one cgroup per engine, which limits the total memory of its processes. */
export interface MemoryCgroups {
  /** The cgroup in which the engines' cgroups are created. */
  parent: string;
  /** Limits the memory of a process and its later descendants together. Does nothing if the kernel refuses. */
  limit(pid: number): void;
  /** Kills the process and all its descendants, where the kernel supports it (5.14 or later). */
  kill(pid: number): void;
  /** Call it after the process and all its descendants have ended. */
  remove(pid: number): void;
}

const MOUNT = '/sys/fs/cgroup';
/** The worker measures anonymous memory only; a cgroup is also charged for the page cache and kernel memory. */
const MARGIN = 1.5;

/**
 * Returns undefined if the kernel has no cgroup v2 memory controller, or if no subtree is delegated to this process.
 * Only a process in a subgroup of a systemd unit can assume that it may manage the unit's cgroups. Changes nothing yet.
 */
export function findMemoryCgroups(megabytes: number, mount = MOUNT, own = readOwn()): MemoryCgroups | undefined {
  const parent = path.join(mount, path.dirname(own));
  if (!/\.(?:service|scope)$/.test(parent)) return undefined;
  try {
    const controllers = readFileSync(path.join(parent, 'cgroup.controllers'), 'utf8').trim().split(' ');
    // The kernel does not enable controllers for the children of a cgroup that has processes of its own.
    if (!controllers.includes('memory') || readFileSync(path.join(parent, 'cgroup.procs'), 'utf8') !== '') {
      return undefined;
    }
    accessSync(path.join(parent, 'cgroup.subtree_control'), constants.W_OK);
  } catch {
    return undefined;
  }
  const groupOf = (pid: number) => path.join(parent, `sortie-engine-${pid}`);
  const remove = (pid: number) => {
    try {
      rmdirSync(groupOf(pid));
    } catch {
      // The cgroup was never created, or a process in it is still exiting. An empty cgroup costs next to nothing.
    }
  };
  return {
    parent,
    limit(pid) {
      const group = groupOf(pid);
      const write = (file: string, value: string) => writeFileSync(path.join(group, file), value);
      try {
        writeFileSync(path.join(parent, 'cgroup.subtree_control'), '+memory');
        mkdirSync(group, { recursive: true });
        write('memory.max', String(Math.round(megabytes * MARGIN) * 1_024 ** 2));
        // Absent if the kernel does not account for swap.
        if (existsSync(path.join(group, 'memory.swap.max'))) write('memory.swap.max', '0');
        write('cgroup.procs', String(pid));
      } catch {
        remove(pid);
      }
    },
    kill(pid) {
      const file = path.join(groupOf(pid), 'cgroup.kill');
      try {
        if (existsSync(file)) writeFileSync(file, '1');
      } catch {
        // Their process group and their user then end the processes.
      }
    },
    remove,
  };
}

/** Returns this process's path in the cgroup v2 hierarchy. */
function readOwn(): string {
  try {
    return /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '/';
  } catch {
    return '/';
  }
}
