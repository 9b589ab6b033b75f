import path from 'node:path';
import type { Admin } from '@sortie/server';
import type { Command } from 'commander';
import { readConfig } from '../../settings/config.ts';
import { toJson } from '../../terminal/text.ts';

/** Runs one operator command and prints its result as JSON or as text. */
export async function runAdmin<T>(
  command: Command,
  work: (admin: Admin) => Promise<T>,
  toText: (answer: T) => string,
): Promise<void> {
  const { data, json } = command.optsWithGlobals<{ data: string; json?: boolean }>();
  const admin = await connect(data);
  try {
    const answer = await work(admin);
    process.stdout.write(json ? `${toJson(answer)}\n` : toText(answer));
  } finally {
    await admin.close();
  }
}

async function connect(dataFolder: string): Promise<Admin> {
  const { AppError, findEmbeddedPostgres, openAdmin, readCatalogue } = await import('@sortie/server');
  const { databaseUrl, catalogueFile } = readConfig();
  const catalogue = readCatalogue(catalogueFile);
  if (databaseUrl !== undefined) return openAdmin({ connection: { connectionString: databaseUrl }, catalogue });
  const folder = path.resolve(dataFolder);
  const connection = await findEmbeddedPostgres(folder);
  if (connection) return openAdmin({ connection, catalogue, dataDir: folder });
  throw new AppError('NOT_FOUND', {
    field: 'data',
    message:
      `No server is running on the data folder ${folder}. Start it with "npm start", ` +
      'or pass the data folder of the running server with --data.',
  });
}
