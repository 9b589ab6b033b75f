import { runAs } from '../platform/run-as.ts';

/** How engines are kept from gaining privileges by starting a setuid program. */
export interface Privileges {
  /** Starts another program with no_new_privs; null where there is none. */
  setpriv: string | null;
  /** Whether Chromium's sandbox is its setuid helper: then engines with a browser run without no_new_privs. */
  needSetuidHelper: boolean;
}

/** Of util-linux. An engine has no PATH to find it by. */
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'];
const NO_NEW_PRIVILEGES = '--no-new-privs';

export async function findPrivileges(candidates: readonly string[] = SETPRIV): Promise<Privileges> {
  for (const setpriv of candidates) {
    const { code } = await runAs(undefined, setpriv, [NO_NEW_PRIVILEGES, 'true']);
    if (code === 0) return { setpriv, needSetuidHelper: false };
  }
  return { setpriv: null, needSetuidHelper: false };
}

/** The command line of a process that cannot gain privileges, where that is possible. */
export function withoutNewPrivileges(
  { setpriv, needSetuidHelper }: Privileges,
  hasBrowser: boolean,
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  if (setpriv === null || (hasBrowser && needSetuidHelper)) return command;
  return [setpriv, NO_NEW_PRIVILEGES, ...command];
}

export const privilegeCures = {
  'no setpriv': 'The operator has to install util-linux where the worker runs.',
  'setuid helper': 'The operator has to allow unprivileged user namespaces where the worker runs.',
};
