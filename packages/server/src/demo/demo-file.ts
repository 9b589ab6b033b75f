import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { StartupError } from '../errors/startup-error.ts';

const DemoFile = z.object({ accountId: z.string(), apiKey: z.string() });

export type Demo = z.output<typeof DemoFile>;

export const demoFileIn = (dataDir: string) => path.join(dataDir, 'demo.json');

/** Resolves to the demo account of the data folder; undefined without one. Throws if the file is damaged. */
export async function readDemoFile(file: string): Promise<Demo | undefined> {
  try {
    const demo = DemoFile.parse(JSON.parse(await readFile(file, 'utf8')));
    // A file restored from a backup may be readable by others.
    await chmod(file, 0o600);
    return demo;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new StartupError(`${file} is damaged. Remove it to get a new demo account.`, { cause: error });
  }
}
