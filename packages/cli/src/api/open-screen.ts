import { spawn } from 'node:child_process';
import type { Shell } from './command-context.ts';
import { screenOf } from './screens.ts';

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

/** Prints the address of a screen of the key's account, and opens it in a browser if the command runs at a terminal. */
export async function openScreen(shell: Shell, path: string): Promise<void> {
  const { data: key } = await (await shell.client()).key.get();
  const address = screenOf(shell.settings.baseUrl.value, key.account.id, path);
  shell.print({ schema: 'sortie.screen/1', address }, () => `${address}\n`);
  const opener = openers[process.platform];
  if (!opener || !process.stdout.isTTY || !shell.isAnimated) return;
  const [program, ...before] = opener;
  const child = spawn(program, [...before, address], { stdio: 'ignore', detached: true });
  // The address is printed already, so a missing browser is no error.
  child.on('error', () => undefined);
  child.unref();
}
