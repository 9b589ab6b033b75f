import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A control group of the kernel for each engine, which limits the memory of all its processes together. */
export interface MemoryCgroups {
  /** The group that they are made in. */
  parent: string;
  /** Puts a process, and all that it starts from then on, under the limit. Does nothing where the kernel refuses. */
  limit(pid: number): void;
  /** After the process and all that it started have ended. */
  remove(pid: number): void;
}

const MOUNT = '/sys/fs/cgroup';
/** The worker measures anonymous memory only; a group is charged for files and the kernel's own use as well. */
const MARGIN = 1.5;

/**
 * Undefined where the kernel has no cgroup v2 with a memory controller, or where no subtree is delegated to this process:
 * only a process in a subgroup of a systemd unit knows that the unit's groups are its own to divide. Changes nothing yet.
 */
export function findMemoryCgroups(megabytes: number, mount = MOUNT, own = readOwn()): MemoryCgroups | undefined {
  const parent = path.join(mount, path.dirname(own));
  if (!/\.(?:service|scope)$/.test(parent)) return undefined;
  try {
    const controllers = readFileSync(path.join(parent, 'cgroup.controllers'), 'utf8').trim().split(' ');
    // The kernel divides no group that has processes of its own.
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
      // It was never made, or a process in it is still ending; an empty group costs next to nothing.
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
        // Absent where the kernel does not account for swap.
        if (existsSync(path.join(group, 'memory.swap.max'))) write('memory.swap.max', '0');
        write('cgroup.procs', String(pid));
      } catch {
        remove(pid);
      }
    },
    remove,
  };
}

/** The path of this process in cgroup v2. */
function readOwn(): string {
  try {
    return /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '/';
  } catch {
    return '/';
  }
}
