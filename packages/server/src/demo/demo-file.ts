import { chmod, open, readFile, rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import { StartupError } from '../startup-error.ts';

const DemoFile = z.object({ accountId: z.string(), apiKey: z.string() });

export type Demo = z.output<typeof DemoFile>;

export async function readDemoFile(file: string): Promise<Demo | undefined> {
  try {
    const demo = DemoFile.parse(JSON.parse(await readFile(file, 'utf8')));
    // A copy from a backup may have come back readable for others.
    await chmod(file, 0o600);
    return demo;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new StartupError(`${file} is damaged. Remove it to get a new demo account.`, { cause: error });
  }
}

/** One server at a time has the data folder, so what lies under the other name is from one that was killed. */
export async function writeDemoFile(file: string, demo: Demo): Promise<void> {
  const complete = `${file}.new`;
  await rm(complete, { force: true });
  const handle = await open(complete, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(demo, undefined, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(complete, file);
}
