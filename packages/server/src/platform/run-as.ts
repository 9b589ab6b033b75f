import { spawn } from 'node:child_process';

/** A system user to run a process as; undefined means the user of this process. */
export interface SystemUser {
  uid: number;
  gid: number;
}

export interface ProcessResult {
  /** Null if the program could not be started or was killed. */
  code: number | null;
  output: string;
}

/**
 * The environment of child processes. It contains nothing of the server's own environment, which may contain secrets,
 * because the process's user can read it. The variables make results independent of the operator's locale and time
 * zone.
 */
export const plainEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Returns whether the process runs as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Runs a program as another user. Resolves to its exit code and output, even if it cannot be started. */
export function runAs(user: SystemUser | undefined, program: string, parameters: string[]): Promise<ProcessResult> {
  return new Promise((resolve) => {
    // The other user may have no access to the current folder.
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
