import { type ProcessResult, runAs, type SystemUser } from '../platform/run-as.ts';

/** How engines are prevented from gaining privileges through setuid programs. */
export interface Privileges {
  /** Path of setpriv, which starts a program with no_new_privs; null if it is not installed. */
  setpriv: string | null;
  /** Whether Chromium's sandbox needs its setuid helper. Engines with a browser then run without no_new_privs. */
  needSetuidHelper: boolean;
}

/** Part of util-linux. Absolute paths, since an engine has no PATH. */
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'];
const NO_NEW_PRIVILEGES = '--no-new-privs';

/** Resolves to how engines run with `no_new_privs`; without a working `setpriv` they do not. */
export async function findPrivileges(candidates: readonly string[] = SETPRIV): Promise<Privileges> {
  for (const setpriv of candidates) {
    const { code } = await runAs(undefined, setpriv, [NO_NEW_PRIVILEGES, 'true']);
    if (code === 0) return { setpriv, needSetuidHelper: false };
  }
  return { setpriv: null, needSetuidHelper: false };
}

/** Returns the command line that starts the process with no_new_privs, if possible. */
export function withoutNewPrivileges(
  { setpriv, needSetuidHelper }: Privileges,
  hasBrowser: boolean,
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  if (setpriv === null || (hasBrowser && needSetuidHelper)) return command;
  return [setpriv, NO_NEW_PRIVILEGES, ...command];
}

/**
 * Runs a command as an engine's user. A process that the engine left behind could trace the command, so it must not be
 * able to gain privileges that the engine could not.
 */
export function runAsEngine(
  user: SystemUser | undefined,
  privileges: Privileges | undefined,
  command: readonly [string, ...string[]],
): Promise<ProcessResult> {
  const [program, ...parameters] = privileges ? withoutNewPrivileges(privileges, false, command) : command;
  return runAs(user, program, parameters);
}

export const privilegeCures = {
  'no setpriv': 'The operator has to install util-linux where the worker runs.',
  'setuid helper': 'The operator has to allow unprivileged user namespaces where the worker runs.',
};
