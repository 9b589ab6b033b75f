import { rmSync } from 'node:fs';
import { after, before } from 'node:test';
import { emptyFolder, runCli, startCli } from './cli.ts';
import { type Asked, type Script, type ScriptedService, startScriptedService } from './scripted-service.ts';

/**
 * Sets up a scripted service for a test file. Returns a function that creates a folder and a CLI that uses the service.
 */
export function useScenes() {
  let service: ScriptedService;
  const folders: string[] = [];
  before(async () => {
    service = await startScriptedService();
  });
  after(async () => {
    await service.close();
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  return function scene(script: Script, more: Record<string, string> = {}) {
    const cwd = emptyFolder();
    folders.push(cwd);
    const { baseUrl, asked } = service.play(script);
    const env = { XDG_CONFIG_HOME: cwd, SORTIE_BASE_URL: baseUrl, SORTIE_API_KEY: 'srt_test_scripted', ...more };
    return {
      cwd,
      baseUrl,
      asked,
      sortie: (...args: string[]) => runCli(args, { cwd, env }),
      /** Starts a command without waiting for its end. */
      start: (...args: string[]) => startCli(args, { cwd, env }),
    };
  };
}

export const startsOf = (asked: readonly Asked[]) => asked.filter(({ method }) => method === 'POST');
export const keysOf = (asked: readonly Asked[]) => startsOf(asked).map(({ headers }) => headers['idempotency-key']);

/** The flags with which a gate starts a run. */
export const toStart = ['--start', '--target', 'https://shop.example/', '--verification', 'ver_1'];
