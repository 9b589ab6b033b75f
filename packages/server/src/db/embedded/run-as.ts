import { spawn } from 'node:child_process';

/** The system user a database's processes run under; undefined means the user of this process. */
export interface DatabaseUser {
  uid: number;
  gid: number;
}

interface Outcome {
  /** Null when the program could not be started or was killed. */
  code: number | null;
  output: string;
}

/**
 * The environment of a database process is readable by its user, so nothing of the server's own environment, which
 * may hold secrets, is passed on. The rest keeps the outcome independent of the operator's locale and time zone.
 */
export const databaseEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function runAs(user: DatabaseUser | undefined, program: string, parameters: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    // The current folder may be one that the other user cannot enter.
    const child = spawn(program, parameters, {
      ...user,
      cwd: '/',
      env: databaseEnvironment,
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
