import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 500;

/** Returns the parent of a process, or undefined where the system has no /proc. */
function parentOf(pid: number): number | undefined {
  try {
    // The program name is in parentheses and may contain any character.
    const [, fields = ''] = /^\d+ \(.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return Number(fields.split(' ')[1]);
  } catch {
    return undefined;
  }
}

/**
 * Calls `onEnd` once npx has ended. npx runs a command in a shell and passes signals to that shell only, which ends
 * without forwarding them.
 */
export function whenLauncherEnds(onEnd: () => void): void {
  const shell = process.ppid;
  const npx = parentOf(shell);
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npx) return;
    clearInterval(timer);
    onEnd();
  }, LOOK_EVERY_MS).unref();
}
