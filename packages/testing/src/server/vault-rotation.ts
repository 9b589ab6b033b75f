import { defaultCatalogue, openAdmin } from '@sortie/server';

/** Runs the operator command `vault rotate` in a process that a test can kill. */
const [connection = '{}', dataDir = '', options = '{}'] = process.argv.slice(2);
const admin = openAdmin({ connection: JSON.parse(connection), catalogue: defaultCatalogue, dataDir });
process.stdout.write(`${JSON.stringify(await admin.vault.rotate(JSON.parse(options)))}\n`);
await admin.close();
