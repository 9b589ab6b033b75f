import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeWholeFile } from './write-file.ts';

const Addresses = z.object({
  pid: z.number(),
  baseUrl: z.string(),
  opsUrl: z.string(),
  targetUrl: z.string().nullable(),
});

/** The addresses of a running server with a demo account. */
export type Addresses = z.output<typeof Addresses>;

const pathIn = (dataDir: string) => path.join(dataDir, 'addresses.json');

/**
 * Resolves to the addresses of the demo. A killed server leaves its file behind, so callers must check whether the
 * process still runs.
 */
export async function readAddresses(dataDir: string): Promise<Addresses | undefined> {
  const text = await readFile(pathIn(dataDir), 'utf8').catch(() => 'null');
  try {
    return Addresses.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Writes where the running demo can be reached. */
export function writeAddresses(dataDir: string, addresses: Addresses): Promise<void> {
  return writeWholeFile(pathIn(dataDir), addresses);
}

/** Removes the file when the server stops. */
export function removeAddresses(dataDir: string): Promise<void> {
  return rm(pathIn(dataDir), { force: true });
}
