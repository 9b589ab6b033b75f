import { spawn } from 'node:child_process';

/** A user of the system to run a process under; where it is undefined, the user of this process is meant. */
export interface SystemUser {
  uid: number;
  gid: number;
}

interface Outcome {
  /** Null when the program could not be started or was killed. */
  code: number | null;
  output: string;
}

/**
 * The environment of a process is readable by its user, so nothing of the server's own environment, which may hold
 * secrets, is passed on. The rest keeps the outcome independent of the operator's locale and time zone.
 */
export const plainEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function runAs(user: SystemUser | undefined, program: string, parameters: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    // The current folder may be one that the other user cannot enter.
    const child = spawn(program, parameters, {
      ...user,
      cwd: '/',
      env: plainEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output: output.trim() }));
  });
}

/** Kills every process of a user, those as well that have left their process group. Never for the user of this process. */
export async function endProcessesOf(user: SystemUser): Promise<void> {
  await runAs(user, 'sh', ['-c', 'kill -KILL -1']);
}
