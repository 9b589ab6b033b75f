import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { listProcesses } from '../platform/list-processes.ts';
import { plainEnvironment, type SystemUser } from '../platform/run-as.ts';

const MOST_MS = 10_000;
const MOST_KILL_MS = 2_000;
const TRY_AGAIN_MS = 20;

/**
 * Kills every process of a user, in any process group, until none is left. Resolves to the number of processes left
 * when it gives up. Must be called as root, and not for the user of this process.
 */
export async function endProcessesOf(user: SystemUser): Promise<number> {
  const giveUpAt = performance.now() + MOST_MS;
  let isReached = false;
  for (;;) {
    const left = listProcesses().filter(({ uids }) => uids.has(user.uid));
    if ((left.length === 0 && isReached) || performance.now() > giveUpAt) return left.length;
    // These processes cannot signal root, but they can kill or stop the process below that runs as their user.
    for (const { pid } of left) kill(pid);
    isReached = await killAtOnce(user);
    await sleep(TRY_AGAIN_MS);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended meanwhile.
  }
}

const KILL_AT_ONCE = `
const [uid, gid] = process.argv.slice(1).map(Number);
process.setgroups([]);
process.setgid(gid);
process.setuid(uid);
// As root this would kill every process of the machine.
if (!uid || process.getuid() !== uid || process.geteuid() !== uid) process.exit(1);
process.kill(-1, 'SIGKILL');
`;

/**
 * Kills all processes of a user in one system call, including those that fork faster than they can be listed. Resolves
 * to whether the call was made; no later call can then hit the next engine with this user. The program switches users
 * itself: a child that is stopped between the switch and its start would block this process, and one that starts
 * another program after the switch could be traced.
 */
function killAtOnce({ uid, gid }: SystemUser): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', KILL_AT_ONCE, String(uid), String(gid)], {
      cwd: '/',
      env: plainEnvironment,
      stdio: 'ignore',
      timeout: MOST_KILL_MS,
      killSignal: 'SIGKILL',
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
