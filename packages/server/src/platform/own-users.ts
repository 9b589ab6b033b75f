import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { listProcesses } from './list-processes.ts';
import { isRoot, type SystemUser } from './run-as.ts';

/** User ids for the exclusive use of this process while it holds them. */
export interface OwnUsers {
  /** Returns a user id that runs no process, the one unused for the longest time; undefined if all are taken. */
  take(): SystemUser | undefined;
  giveBack(user: SystemUser): void;
  /** Releases the user ids for other servers on this machine. The end of this process releases them too. */
  release(): void;
}

/**
 * Neither Debian nor systemd assigns these ids, and they exist in containers with user namespaces. They need no entry
 * in the password file.
 */
const FIRST = 60_578;
const BLOCK = 6;
const BLOCKS = 100;
/** Leaves the other half to other servers on this machine. */
const MOST_CLAIMS = BLOCKS / 2;

/**
 * Claims at least this many users, or fewer if no more are available. Resolves to undefined if this process cannot
 * switch users, or if other servers hold all.
 */
export async function claimUsers(count: number): Promise<OwnUsers | undefined> {
  if (!isRoot() || process.platform !== 'linux' || !areMapped()) return undefined;
  const claims: Server[] = [];
  const free: number[] = [];
  const begin = Math.floor(Math.random() * BLOCKS);
  for (let tried = 0; tried < BLOCKS && free.length < count && claims.length < MOST_CLAIMS; tried++) {
    const block = (begin + tried) % BLOCKS;
    const claim = await claimBlock(block);
    if (!claim) continue;
    claims.push(claim);
    free.push(...Array.from({ length: BLOCK }, (_, index) => FIRST + block * BLOCK + index));
  }
  if (claims.length === 0) return undefined;
  return {
    take() {
      const running = listProcesses();
      const index = free.findIndex((uid) => !running.some(({ uids }) => uids.has(uid)));
      const [uid] = index < 0 ? [] : free.splice(index, 1);
      return uid === undefined ? undefined : { uid, gid: uid };
    },
    giveBack: ({ uid }) => void (free.includes(uid) || free.push(uid)),
    release() {
      for (const claim of claims) claim.close();
    },
  };
}

/**
 * Claims a block of ids by an abstract socket: the kernel lets only one process bind it, and releases it when that
 * process ends.
 */
function claimBlock(block: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(`\0sortie-users-${block}`, () => resolve(server.unref()));
  });
}

/** A container may have only few mapped user ids. */
function areMapped(): boolean {
  const lines = readFileSync('/proc/self/uid_map', 'utf8').trim().split('\n');
  return lines.some((line) => {
    const [inside = 0, , length = 0] = line.trim().split(/\s+/).map(Number);
    return inside <= FIRST && inside + length >= FIRST + BLOCK * BLOCKS;
  });
}
